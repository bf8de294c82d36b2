/** How far a scan is, in words for the view and for the status bar. */
import { computed, onScopeDispose, ref, watch } from 'vue'
import { useScanStore } from '@/stores/scan'
import { formatCount } from '@/text/numbers'
import { remainingAt } from '@/text/waiting'

const tickMs = 500

export function useScanProgress() {
  const scan = useScanStore()
  const now = ref(performance.now())
  let timer: ReturnType<typeof setInterval> | undefined
  watch(
    () => scan.busy,
    (busy) => {
      clearInterval(timer)
      if (busy) timer = setInterval(() => (now.value = performance.now()), tickMs)
    },
    { immediate: true },
  )
  onScopeDispose(() => clearInterval(timer))

  /** 0 to 1; null where nobody knows yet. */
  const share = computed(() => (scan.progress ? scan.progress.done / Math.max(1, scan.progress.total) : null))
  const words = computed(() => {
    if (scan.cancelling) return 'Cancelling the scan…'
    const { progress, shown, since } = scan
    if (scan.state === 'starting' || progress === null) return 'Preparing the scan…'
    const { done, total } = progress
    const finished = shown?.rows.length ?? 0
    const all = shown ? shown.config.kMax - shown.config.kMin + 1 : 0
    const mine = (done - since.done) / Math.max(1, total - since.done)
    const remaining = remainingAt(mine, now.value - since.ms)
    const said = `${formatCount(finished)} of ${formatCount(all)} k, ${formatCount(done)} of ${formatCount(total)} restarts`
    return [said, remaining].filter(Boolean).join(', ')
  })
  return { share, words }
}
