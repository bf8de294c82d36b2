/** Time of the comparison under way, ticking between what it tells of itself. */
import { onBeforeUnmount, ref, watch } from 'vue'
import { useBenchmarkStore } from '@/stores/benchmark'

const tickMs = 200

export function useBenchmarkTimes() {
  const benchmark = useBenchmarkStore()
  const elapsedMs = ref(0)
  const remainingMs = ref<number | null>(null)
  let timer: ReturnType<typeof setInterval> | undefined

  function tick(): void {
    const { progress } = benchmark
    if (!progress) return
    const since = performance.now() - progress.atMs
    elapsedMs.value = progress.elapsedMs + since
    remainingMs.value = progress.remainingMs === null ? null : Math.max(0, progress.remainingMs - since)
  }
  watch(
    () => benchmark.runningId !== null,
    (runs) => {
      clearInterval(timer)
      elapsedMs.value = 0
      remainingMs.value = null
      if (runs) timer = setInterval(tick, tickMs)
    },
    { immediate: true },
  )
  onBeforeUnmount(() => clearInterval(timer))
  return { elapsedMs, remainingMs }
}
