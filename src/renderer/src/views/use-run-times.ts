/** Time of the run under way, ticking: how long it has taken and what is left of it, in words. */
import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import {
  countRows,
  estimateRemaining,
  iterationsDone,
  nothingCounted,
  remainingWords,
  smoothRemaining,
  withMark,
  type Mark,
  type ShownRemaining,
} from '@/text/remaining'
import { useRunStore } from '@/stores/run'

const tickMs = 100

export function useRunTimes() {
  const run = useRunStore()
  const elapsedMs = ref(0)
  const shown = shallowRef<ShownRemaining | null>(null)
  let marks: readonly Mark[] = []
  let counted = nothingCounted
  let timer: ReturnType<typeof setInterval> | undefined

  watch(
    () => run.live?.rows,
    (rows) => {
      if (rows === undefined || rows.length === 0) return
      counted = countRows(counted, rows)
      marks = withMark(marks, { atMs: performance.now(), iterations: iterationsDone(counted) })
    },
  )
  watch(
    () => run.busy,
    (busy) => {
      clearInterval(timer)
      elapsedMs.value = 0
      shown.value = null
      marks = []
      counted = nothingCounted
      if (busy) timer = setInterval(tick, tickMs)
    },
  )
  onBeforeUnmount(() => clearInterval(timer))

  function tick(): void {
    const now = performance.now()
    const { live } = run
    elapsedMs.value = now - run.startedAt
    const visible = live !== null && live.phase !== 'finishing' && !run.cancelling
    shown.value = visible
      ? smoothRemaining(shown.value, estimateRemaining({ ...live, counted, marks }, now), now)
      : null
  }

  const remaining = computed(() => (shown.value === null ? '' : remainingWords(shown.value)))
  return { elapsedMs, remaining }
}
