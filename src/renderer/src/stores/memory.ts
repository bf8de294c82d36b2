/** How much of the machine may be taken, as typed, and where the points of the next run would lie. */
import {
  byteSize,
  minMemoryLimit,
  type MemoryLimits,
  type MemoryState,
  type RunMemory,
} from '@shared/memory-limits'
import { defineStore } from 'pinia'
import { computed, reactive, shallowRef } from 'vue'
import { t } from '@/i18n'
import { ask } from '@/api'
import { useAppStore } from './app'
import { useConfigStore } from './config'
import { useDatasetStore } from './dataset'

export const useMemoryStore = defineStore('memory', () => {
  const app = useAppStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  /** Null until main has told it. */
  const state = shallowRef<MemoryState | null>(null)
  const draft = reactive({ memoryLimit: '', deviceMemory: '' })
  /** Of the next run; null where there are no data, or nobody has looked. */
  const plan = shallowRef<RunMemory | null>(null)
  let asked = 0

  const errors = computed(() => ({
    memoryLimit: sizeError(t('settings.memoryLimit'), draft.memoryLimit, minMemoryLimit),
    deviceMemory: sizeError(t('settings.deviceMemory'), draft.deviceMemory, 1),
  }))

  function take(answer: MemoryState): void {
    state.value = answer
  }

  async function load(): Promise<void> {
    try {
      const answer = await ask('app.memory', {})
      take(answer)
      draft.memoryLimit = answer.memoryLimit
      draft.deviceMemory = answer.deviceMemory
    } catch (thrown) {
      app.fail(thrown)
    }
  }

  /** What is no size holds for nothing until it is one. */
  async function set(change: Partial<MemoryLimits>): Promise<void> {
    Object.assign(draft, change)
    const { memoryLimit, deviceMemory } = errors.value
    if (memoryLimit !== '' || deviceMemory !== '') return
    const limits = { memoryLimit: draft.memoryLimit.trim(), deviceMemory: draft.deviceMemory.trim() }
    await changed(ask('app.set-memory', limits))
  }

  /** @param usual back to where scratch files lie by default */
  async function chooseScratch(usual: boolean): Promise<void> {
    await changed(ask('app.choose-scratch', { usual }))
  }

  async function changed(answer: Promise<MemoryState>): Promise<void> {
    try {
      take(await answer)
      await look()
    } catch (thrown) {
      app.fail(thrown)
    }
  }

  /** Where would the points of the next run lie? */
  async function look(): Promise<void> {
    const turn = ++asked
    const { summary } = dataset
    if (!summary || !config.valid) {
      plan.value = null
      return
    }
    try {
      const answer = await ask('run.memory', { datasetId: summary.id, config: config.config })
      if (turn === asked) plan.value = answer
    } catch {
      // What is wrong with the settings is told by the run; data that were closed meanwhile need no room.
      if (turn === asked) plan.value = null
    }
  }

  return { state, draft, errors, plan, load, set, chooseScratch, look }
})

function sizeError(name: string, text: string, least: number): string {
  const bytes = text.trim() === '' ? least : byteSize(text)
  if (bytes === null) return t('settings.theIsGiveASizeSuch', [name, text])
  return bytes < least ? t('settings.theIsGiveAtLeastMib', [name, text, least / 2 ** 20]) : ''
}
