/** What a file that is opened, an end of a run or a comparison, and a lost engine mean for the other stores, in order. */
import type { DatasetSummary } from '@shared/dataset'
import type { RunRecord } from '@shared/run-record'
import { onScopeDispose } from 'vue'
import { t } from '@/i18n'
import { formatDuration, plural } from '@/text/numbers'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useColouringStore } from '@/stores/colouring'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useLiveStore } from '@/stores/live'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useScanStore } from '@/stores/scan'
import { useSelectionStore } from '@/stores/selection'
import { useSettingsStore } from '@/stores/settings'
import { outcomeSentence } from '@/text/benchmark/sentences'
import { useHostChanges } from './host-changes'
import { useSessionCommands } from './session-commands'
import { useSessionEntry } from './session-views'

/** The one place where the stores' events are listened to. */
export function joinStores(): void {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const dataset = useDatasetStore()
  const run = useRunStore()
  const { open } = useSessionCommands()
  const stops = [
    dataset.onOpened(useDatasetOpened()),
    // Of two failures the newer one is told.
    dataset.onRefused(() => (app.error = null)),
    app.onFailed(() => (dataset.error = null)),
    dataset.onSession(({ token }) => void open(token)),
    run.onDone(runEnded),
    // What was said before a comparison is not what happens now.
    benchmark.onBegun(() => (app.message = '')),
    benchmark.onOver(comparisonOver),
    app.onHostChanged(useHostChanges()),
  ]
  onScopeDispose(() => stops.forEach((stop) => stop()))

  function runEnded({ timings }: RunRecord): void {
    app.message = t('start.doneIn', [formatDuration(timings.totalMs)])
  }

  function comparisonOver(benchId: string): void {
    dataset.closeMeasured()
    const { document } = benchmark
    const elsewhere = t('start.theComparisonHasEndedItIs')
    app.message = document?.id === benchId ? outcomeSentence(document) : elsewhere
  }
}

/** First the tab, then what belonged to the earlier file, then what is told and drawn of the new one. */
function useDatasetOpened(): (summary: DatasetSummary) => void {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const live = useLiveStore()
  const points = usePointsStore()
  const run = useRunStore()
  const scan = useScanStore()
  const colouring = useColouringStore()
  const selection = useSelectionStore()
  const settings = useSettingsStore()
  const entry = useSessionEntry()
  return (summary) => {
    app.error = null
    entry.leave(summary)
    // A file opened while times are compared is one more thing to compare.
    if (benchmark.standalone) settings.save({ view: 'benchmark' })
    benchmark.standalone = false
    live.reset()
    run.adopt(summary.id)
    config.adopt(summary, dataset.sameFile)
    selection.adopt(summary.id)
    colouring.adopt(summary)
    scan.adopt(summary.id).catch(app.fail)
    app.message = t('start.loadedIn', [
      summary.file.name,
      plural(summary.rows, 'row'),
      formatDuration(summary.receipt.loadMs),
    ])
    points.adopt(summary).catch(app.fail)
    entry.enter(summary)
    app.refreshRecent().catch(app.fail)
  }
}
