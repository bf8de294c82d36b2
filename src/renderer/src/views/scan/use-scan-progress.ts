/** How far a scan is, in words for the view and for the status bar. */
import { computed, onScopeDispose, ref, watch } from 'vue'
import { t } from '@/i18n'
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
    if (scan.cancelling) return t('scan.cancellingTheScan')
    const { progress, shown, since } = scan
    if (scan.state === 'starting' || progress === null) return t('scan.preparingTheScan')
    const { done, total } = progress
    const finished = shown?.rows.length ?? 0
    const all = shown ? shown.config.kMax - shown.config.kMin + 1 : 0
    const mine = (done - since.done) / Math.max(1, total - since.done)
    const remaining = remainingAt(mine, now.value - since.ms)
    const said = t('scan.ofKOfRestarts', [
      formatCount(finished),
      formatCount(all),
      formatCount(done),
      formatCount(total),
    ])
    return [said, remaining].filter(Boolean).join(', ')
  })
  return { share, words }
}
