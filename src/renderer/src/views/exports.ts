/** Saving a result: one file at a time, progress and outcome in the status bar. */
import type { ExportKind } from '@shared/ipc'
import { exportFileNames } from '@shared/ipc'
import { onBeforeUnmount, onMounted, ref } from 'vue'
import { ask, listen } from '@/api'
import { formatBytes, formatCount } from '@/text/numbers'
import { useAppStore } from '@/stores/app'
import { useRunStore } from '@/stores/run'

const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

export function useExports() {
  const app = useAppStore()
  const run = useRunStore()
  const exporting = ref(false)
  let forget = (): void => undefined

  onMounted(() => {
    forget = listen('export.progress', ({ kind, rows, totalRows }) => {
      app.message = `Writing ${exportFileNames[kind]}: ${formatCount(rows)} of ${formatCount(totalRows)} rows`
    })
  })
  onBeforeUnmount(() => forget())

  async function exportResult(kind: ExportKind): Promise<void> {
    const record = run.result?.record
    if (!record || exporting.value) return
    exporting.value = true
    try {
      const written = await ask('app.export', { runId: record.id, kind })
      app.message = written ? `Saved ${fileName(written.path)} (${formatBytes(written.bytes)})` : ''
    } catch (thrown) {
      app.fail(thrown)
    } finally {
      exporting.value = false
    }
  }

  return { exporting, exportResult }
}
