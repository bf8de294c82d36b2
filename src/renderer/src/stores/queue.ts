/** What was asked for while a run or a comparison was under way: carried out in order when that is over, or taken back. */
import type { Suite } from '@shared/benchmark/suite'
import type { RunConfig } from '@shared/run-config'
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'

export type Wish =
  | {
      readonly kind: 'run'
      readonly datasetId: string
      readonly fileName: string
      readonly config: RunConfig
    }
  | { readonly kind: 'comparison'; readonly suite: Suite }
  | { readonly kind: 'open'; readonly token: string; readonly name: string; readonly isSession?: true }
  /** Another dataset of the session. */
  | { readonly kind: 'show'; readonly datasetId: string; readonly name: string }

export type Waiting = Wish & { readonly id: number }

export const useQueueStore = defineStore('queue', () => {
  const waiting = shallowRef<readonly Waiting[]>([])
  let newest = 0

  /** The same wish twice is one. What works on the open file comes before another file takes its place. */
  function add(wish: Wish): void {
    const same = JSON.stringify(wish)
    if (waiting.value.some(({ id: _id, ...other }) => JSON.stringify(other) === same)) return
    const item = { ...wish, id: ++newest }
    const opens = waiting.value.findIndex(({ kind }) => kind === 'open' || kind === 'show')
    const at = item.kind === 'run' && opens >= 0 ? opens : waiting.value.length
    waiting.value = waiting.value.toSpliced(at, 0, item)
  }

  function takeBack(id: number): void {
    waiting.value = waiting.value.filter((item) => item.id !== id)
  }

  /** The first one, which is no longer waiting. */
  function next(): Waiting | undefined {
    const [first, ...others] = waiting.value
    waiting.value = others
    return first
  }

  /** Runs of the open file, which another one would leave undone, or files that came before. */
  const hasFiles = computed(() => waiting.value.some(({ kind }) => kind !== 'comparison'))

  return { waiting, hasFiles, add, takeBack, next }
})
