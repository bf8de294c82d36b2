/** Whether work waits for a run that is being timed, or the comparison for other work: told only where it lasts. */
import type { TimingLockState } from '@shared/benchmark/requests'
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { listen } from '@/api'

const calm: TimingLockState = { waiting: 0, resting: false }
/** What is over sooner is not worth a word. */
const showAfterMs = 300

export const useQuietStore = defineStore('quiet', () => {
  const state = shallowRef(calm)
  let newest = calm
  let timer: ReturnType<typeof setTimeout> | null = null

  function subscribe(): void {
    listen('bench.quiet', receive)
  }

  function receive(next: TimingLockState): void {
    newest = next
    const isCalm = next.waiting === 0 && !next.resting
    if (isCalm && timer !== null) clearTimeout(timer)
    if (isCalm) timer = null
    if (isCalm || state.value !== calm) state.value = isCalm ? calm : next
    else timer ??= setTimeout(() => (state.value = newest), showAfterMs)
  }

  /** The engine process is gone, and with it whatever waited. */
  function reset(): void {
    receive(calm)
  }

  return { state, subscribe, reset }
})
