/** Saves the iterations that stand side by side as pairs of files into a folder. */
import { ref } from 'vue'
import { ask } from '@/api'
import { useAppStore } from '@/stores/app'
import { useRunStore } from '@/stores/run'
import { plural } from '@/text/numbers'

export function useStepsExport() {
  const app = useAppStore()
  const run = useRunStore()
  const exporting = ref(false)

  async function exportSteps(steps: number): Promise<void> {
    const runId = run.result?.record.id
    if (runId === undefined || exporting.value) return
    exporting.value = true
    try {
      const written = await ask('app.export-steps', { runId, steps })
      const name = written?.folder.split(/[\\/]/).at(-1)
      if (written) app.message = `Saved ${plural(written.files, 'file')} into ${name}`
    } catch (thrown) {
      app.fail(thrown)
    } finally {
      exporting.value = false
    }
  }

  return { exporting, exportSteps }
}
