/** Saving and copying of a result: the panel's menu and the native one carry out the same functions. */
import { commandLine, runCommandLine, shellLine } from '@shared/command-line'
import { overridesOf } from '@shared/import-overrides'
import type { FileFacts } from '@shared/dataset'
import type { ExportKind } from '@shared/ipc'
import type { PlotFormat, PlotImage } from '@shared/plot-image'
import type { TextChoice } from '@shared/text-choice'
import type { RunRecord } from '@shared/run-record'
import { computed, onBeforeUnmount, onMounted, shallowRef } from 'vue'
import { ask } from '@/api'
import { t } from '@/i18n'
import type { FigureEntry } from '@/plots/figure/figure-entry'
import { formatBytes, plural } from '@/text/numbers'
import { withoutFormulas } from '@/text/tsv'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useExportingStore } from '@/stores/exporting'
import { useFiguresStore } from '@/stores/figures'
import { useLooksStore } from '@/stores/looks'
import { useRunStore } from '@/stores/run'
import { useSessionStore } from '@/stores/session'
import { useSettingsStore } from '@/stores/settings'
import { useViewPlots } from './view-plots'

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path
const locationOf = ({ path, name }: FileFacts): string => path || name
/** A path names its own way of dividing. */
const inFolder = (folder: string, name: string): string =>
  `${folder}${folder.includes('\\') ? '\\' : '/'}${name}`
export const savedFile = (written: { path: string; bytes: number } | null): string | null =>
  written && t('results.saved', [baseName(written.path), formatBytes(written.bytes)])
export const savedFolder = (written: { folder: string; files: number } | null): string | null =>
  written && t('results.savedInto', [plural(written.files, 'file'), baseName(written.folder)])

export function useExports() {
  const app = useAppStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const exporting = useExportingStore()
  const figures = useFiguresStore()
  const looks = useLooksStore()
  const run = useRunStore()
  const session = useSessionStore()
  const settings = useSettingsStore()

  const viewPlots = useViewPlots()

  let forget = (): void => undefined
  onMounted(() => {
    forget = exporting.subscribe()
  })
  onBeforeUnmount(() => forget())

  /** Every run of the list, oldest first; the engine host keeps the facts of those whose arrays are gone. */
  const timedRuns = computed(() => run.results.map(({ record }) => record.id).toReversed())

  async function withRecord(work: (record: RunRecord) => Promise<string | null>): Promise<void> {
    const record = run.result?.record
    if (record) await exporting.during(record.id, () => work(record))
  }

  const asText = (): TextChoice => ({
    neutralise: settings.values.neutraliseFormulas,
    dialect: settings.values.exportDialect,
  })

  /** With the names of its clusters, where any was named. */
  function asNamedText({ id, k }: RunRecord): TextChoice {
    const given = looks.looksOf(id)
    const clusterNames = Array.from({ length: k }, (_, cluster) => given.get(cluster)?.name ?? null)
    return clusterNames.every((name) => name === null) ? asText() : { ...asText(), clusterNames }
  }

  /** With what was noted about it too. */
  function asReportText(record: RunRecord): TextChoice {
    const { note } = session.noteOf(record.id)
    return { ...asNamedText(record), ...(note && { note }) }
  }

  const exportResult = (kind: ExportKind): Promise<void> =>
    withRecord(async (record) =>
      savedFile(await ask('app.export', { runId: record.id, kind, ...asReportText(record) })),
    )

  const exportSteps = (steps: number): Promise<void> =>
    withRecord(async ({ id }) =>
      savedFolder(await ask('app.export-steps', { runId: id, steps, ...asText() })),
    )

  const exportTimings = (): Promise<void> =>
    withRecord(async () =>
      savedFile(await ask('app.export-timings', { runIds: timedRuns.value, ...asText() })),
    )

  /** A plot that is about to be saved: how is asked in a dialog. */
  const plotWanted = shallowRef<{ readonly figure: FigureEntry; readonly format: PlotFormat } | null>(null)
  /** @param figure null: it was saved, or the dialog closed */
  const exportPlot = (figure: FigureEntry | null, format: PlotFormat = 'png'): void => {
    plotWanted.value = figure && { figure, format }
  }

  /** Every plot in both formats, one after the other, until the export is cancelled. */
  async function plotsOfResult(record: RunRecord): Promise<readonly PlotImage[]> {
    const plots: PlotImage[] = []
    const draw = async (list: readonly FigureEntry[]): Promise<void> => {
      for (const figure of list)
        for (const format of ['png', 'svg'] as const) {
          plots.push(await figure.image(format))
          exporting.checkCancelled()
        }
    }
    await draw(figures.ofResult)
    const others = await viewPlots(record)
    exporting.checkCancelled()
    await draw(others)
    return plots
  }

  const exportAll = (): Promise<void> =>
    withRecord(async (record) => {
      const { id, iterations } = record
      app.message = t('results.drawingThePlots')
      const plots = await plotsOfResult(record)
      const steps = Math.min(settings.values.stepCount, iterations)
      const runIds = timedRuns.value
      return savedFolder(
        await ask('app.export-all', { runId: id, runIds, steps, plots, ...asReportText(record) }),
      )
    })

  /** Puts text on the clipboard and says what it was. */
  async function copy(text: string, what: string): Promise<void> {
    try {
      const isTable = text.includes('\t')
      const safe = isTable && settings.values.neutraliseFormulas ? withoutFormulas(text) : text
      await ask('app.copy', { text: safe })
      app.message = t('results.copied', [what])
    } catch (thrown) {
      app.fail(thrown)
    }
  }

  /** Of the result shown, or of another; before there is one, of the settings. */
  /** Where the file of a run lies now: it may have been moved since. */
  function locationNow({ id, file }: RunRecord): string {
    const of = run.results.find(({ record }) => record.id === id)?.datasetId
    const known = session.datasets.find((each) => each.id === of)
    return known?.folder ? inFolder(known.folder, known.name) : locationOf(file)
  }

  async function copyCommandLine(record: RunRecord | undefined = run.result?.record): Promise<void> {
    const { summary } = dataset
    if (record) {
      await copy(
        shellLine(runCommandLine(record, locationNow(record))),
        t('results.theCommandLineOfThisResult'),
      )
    } else if (summary && config.valid) {
      const { file, receipt } = summary
      // The page knows the centroid file by a token, which means nothing to a shell.
      const centroidsFile =
        config.config.centroidsFile === null ? null : (config.draft.centroids?.name ?? null)
      const asked = { ...config.config, centroidsFile }
      const args = commandLine(asked, locationOf(file), overridesOf(receipt), receipt.chosenTypes)
      await copy(shellLine(args), t('results.theCommandLineOfTheseSettings'))
    }
  }

  /** Code for scikit-learn that makes a run again. */
  async function copyPython(runId: string | undefined = run.result?.record.id): Promise<void> {
    if (runId === undefined) return
    try {
      const { text } = await ask('run.python', { runId })
      await ask('app.copy', { text })
      app.message = t('reuse.copiedPython')
    } catch (thrown) {
      app.fail(thrown)
    }
  }

  return {
    timedRuns,
    exportResult,
    exportSteps,
    exportTimings,
    exportPlot,
    plotWanted,
    exportAll,
    copy,
    copyCommandLine,
    copyPython,
    asNamedText,
  }
}

export type Exports = ReturnType<typeof useExports>
