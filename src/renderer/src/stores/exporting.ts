/** The export under way: one at a time, told of in the status bar, to be cancelled there. */
import { LabError, toErrorReport } from '@shared/errors'
import type { ExportPart } from '@shared/ipc'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { t } from '@/i18n'
import { ask, listen } from '@/api'
import { useAppStore } from './app'

export const useExportingStore = defineStore('exporting', () => {
  const app = useAppStore()
  /** The run whose files are being written; null when nothing is. */
  const runId = ref<string | null>(null)
  const cancelling = ref(false)
  /** Of the file that is being written; null before the first is told of. */
  const progress = shallowRef<{ kind: ExportPart; rows: number; totalRows: number } | null>(null)
  const busy = computed(() => runId.value !== null)

  /** Answers what stops listening to the progress of exports. */
  function subscribe(): () => void {
    return listen('export.progress', ({ runId: of, kind, rows, totalRows }) => {
      if (of !== runId.value) return
      // A cancel that was pressed before the writing began found nothing to abort: now there is something.
      if (cancelling.value) return void abort(of)
      progress.value = { kind, rows, totalRows }
    })
  }

  /**
   * Carries out one export unless another one is under way, and tells its outcome; `null` is a dialog that was
   * closed. Never throws.
   */
  async function during(of: string, work: () => Promise<string | null>): Promise<void> {
    if (busy.value) return
    runId.value = of
    progress.value = null
    app.message = ''
    try {
      app.message = (await work()) ?? ''
    } catch (thrown) {
      if (toErrorReport(thrown).kind === 'cancelled')
        app.message = t('results.exportCancelledFilesThatWereFinished')
      else app.fail(thrown)
    } finally {
      runId.value = null
      progress.value = null
      cancelling.value = false
    }
  }

  /** Throws when a cancel was pressed before there was anything in the engine host to abort. */
  function checkCancelled(): void {
    if (cancelling.value)
      throw new LabError('cancelled', 'export.cancelled', t('results.theExportWasCancelled'))
  }

  async function cancel(): Promise<void> {
    if (runId.value === null || cancelling.value) return
    cancelling.value = true
    app.message = t('results.cancellingTheExport')
    await abort(runId.value)
  }

  const abort = (of: string): Promise<null | void> => ask('export.cancel', { runId: of }).catch(app.fail)

  return { runId, busy, cancelling, progress, subscribe, during, checkCancelled, cancel }
})
