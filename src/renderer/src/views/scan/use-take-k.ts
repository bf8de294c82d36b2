/** Takes a k of the scan over: its run becomes the result, its settings those of the next run. */
import { computed, ref } from 'vue'
import { t } from '@/i18n'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useRunStore } from '@/stores/run'
import { useScanStore } from '@/stores/scan'

export function useTakeK() {
  const app = useAppStore()
  const config = useConfigStore()
  const run = useRunStore()
  const scan = useScanStore()
  const taking = ref(false)

  /** The k whose clustering is on screen; null where that is no part of the scan. */
  const used = computed(() => {
    const shown = run.result?.record.id
    for (const [k, runId] of scan.taken) if (runId === shown) return k
    return null
  })

  async function take(k: number): Promise<void> {
    if (taking.value) return
    taking.value = true
    try {
      const taken = await scan.take(k)
      if (taken === null) return
      run.adoptTaken(taken)
      config.draft.k = String(k)
      config.draft.nInit = String(taken.asked.nInit)
      scan.chosen = k
      app.message = t('scan.kItsClusteringIsShownThe', [k, taken.asked.nInit])
    } catch (thrown) {
      app.fail(thrown)
    } finally {
      taking.value = false
    }
  }

  return { used, taking, take }
}
