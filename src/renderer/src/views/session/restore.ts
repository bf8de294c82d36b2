import type { AppEvents } from '@shared/ipc'
import { ask } from '@/api'
import { plural } from '@/text/numbers'
import { useAppStore } from '@/stores/app'
import { useDatasetStore } from '@/stores/dataset'
import { useRunStore } from '@/stores/run'

/** The file, the results and the settings are as they were before the program or its page was ended. */
export function useRestore(): (kept: AppEvents['app.restore']) => Promise<void> {
  const app = useAppStore()
  const dataset = useDatasetStore()
  const run = useRunStore()
  return async ({ token, name, overrides, byForce, runs }) => {
    await dataset.reopen({ token, name }, overrides)
    const { summary } = dataset
    if (dataset.error?.code.endsWith('not-found')) app.announce(goneSentence(name))
    if (summary === null || dataset.source?.token !== token) return
    const records = await ask('run.kept', { datasetId: summary.id })
    run.restore(summary.id, records)
    await run.findBroken(summary.id)
    const found = records.length === 0 ? '' : ` with ${plural(records.length, 'result')}`
    const opened = `${name} is open again${found}`
    if (byForce) app.announce(`Centroid Lab was ended unexpectedly; ${opened}.`)
    else if (records.length < (runs ?? 0)) app.announce(changedSentence(name))
    else app.message = opened
  }
}

/** Results belong to the contents that they were made on. */
function changedSentence(name: string): string {
  return `${name} is not as it was when its results were kept: they are still there, and shown again once the file is as before.`
}

/** What was computed is not lost with its file. */
function goneSentence(name: string): string {
  return `The results of ${name} are still kept: open the file again when it is back in its place, and they are shown.`
}
