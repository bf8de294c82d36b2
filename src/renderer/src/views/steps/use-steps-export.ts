/** Saves the iterations that stand side by side as pairs of files into a folder. */
import { computed } from 'vue'
import { ask } from '@/api'
import { useExportingStore } from '@/stores/exporting'
import { useRunStore } from '@/stores/run'
import { savedFolder } from '../exports'

export function useStepsExport() {
  const run = useRunStore()
  const exports = useExportingStore()
  const exporting = computed(() => exports.busy)

  async function exportSteps(steps: number): Promise<void> {
    const runId = run.result?.record.id
    if (runId === undefined) return
    await exports.during(runId, async () => savedFolder(await ask('app.export-steps', { runId, steps })))
  }

  return { exporting, exportSteps }
}
