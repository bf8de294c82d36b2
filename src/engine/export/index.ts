import type { RunProcesses } from '@engine/processes/run-processes'
import type { RunResult } from '@engine/run/types'
import type { ExportKind } from '@shared/ipc'
import type { ReportChoice, TextChoice } from '@shared/text-choice'
import { writeAtomically, type ByteSink } from './atomic-file'
import { writeCentroids } from './centroids'
import { csvForm, type CsvForm } from './csv-text'
import { writeHistory } from './history'
import { writeHistoryCentroids } from './history-centroids'
import type { LabelledData } from './labelled-data'
import { writeLabels } from './labels'
import { writeLabelsOfAll, type LabelsKind } from './labels-of-all'
import { writeLabelsNpy } from './labels-npy'
import { writeOnnxModel } from './models/onnx'
import { writePmmlModel } from './models/pmml'
import { writePythonModel } from './models/python'
import { writeProfile } from './profile'
import { refuseSource } from './refuse-source'
import { writeClusteringReport } from './report/html-report'
import { writeMarkdownReport } from './report/markdown-report'
import { writeRunJson } from './run-json'

export interface ExportOptions extends TextChoice {
  /** Replace an existing file; otherwise it is refused. */
  readonly replace: boolean
  /** Rows written so far, for exports as long as the dataset. */
  readonly onProgress?: (rows: number) => void
  readonly signal: AbortSignal
  /** That hold the labels together, and write their files so; absent: this one has all. */
  readonly processes?: RunProcesses | undefined
}

type Writer = (
  result: RunResult,
  sink: ByteSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
  form: CsvForm,
  choice: ReportChoice,
) => Promise<void>

const writers = {
  centroids: writeCentroids,
  labels: writeLabels,
  'labels-npy': writeLabelsNpy,
  history: writeHistory,
  'history-centroids': writeHistoryCentroids,
  profile: writeProfile,
  run: writeRunJson,
  'model-python': writePythonModel,
  'model-pmml': writePmmlModel,
  'model-onnx': writeOnnxModel,
  report: (result, sink, signal, _onProgress, _form, choice) =>
    writeClusteringReport(result, sink, signal, choice),
  'report-markdown': (result, sink, signal, _onProgress, _form, choice) =>
    writeMarkdownReport(result, sink, signal, choice),
} satisfies Record<ExportKind, Writer>

/**
 * Writes one export file (columns: spec section 6), whole or not at all.
 * @returns the path and the bytes written
 * @throws LabError `export.*` (target cannot be written, source changed, nothing recorded), `cancelled`
 */
export async function writeExport(
  result: RunResult,
  kind: ExportKind,
  path: string,
  options: ExportOptions,
): Promise<{ path: string; bytes: number }> {
  await refuseSource(result.dataset.file.path, path)
  const writer: Writer = writers[kind]
  const report = options.onProgress ?? (() => undefined)
  const form = csvForm(options)
  const { processes, signal } = options
  return writeAtomically(path, options, (sink) =>
    processes !== undefined && isOfLabels(kind)
      ? writeLabelsOfAll(kind, result, processes, sink, { signal, onProgress: report, form })
      : writer(result, sink, signal, report, form, options),
  )
}

/**
 * The part of another process than the first in files that are written together, in the order in which that one writes them.
 * @throws LabError as `writeExport`
 */
export async function writePartOfAll(
  result: RunResult,
  kinds: readonly ExportKind[],
  processes: RunProcesses,
  text: TextChoice,
  signal: AbortSignal,
): Promise<void> {
  const options = { signal, onProgress: () => undefined, form: csvForm(text) }
  for (const kind of kinds.filter(isOfLabels)) {
    await writeLabelsOfAll(kind, result, processes, null, options)
  }
}

function isOfLabels(kind: ExportKind): kind is LabelsKind {
  return kind === 'labels' || kind === 'labels-npy'
}

/**
 * Writes `assignments.csv`: the rows of another file with their clusters, as `labels.csv` has those that were clustered.
 * @throws LabError as `writeExport`
 */
export async function writeAssignments(
  labelled: LabelledData,
  path: string,
  options: ExportOptions,
): Promise<{ path: string; bytes: number }> {
  await refuseSource(labelled.dataset.file.path, path)
  const report = options.onProgress ?? (() => undefined)
  return writeAtomically(path, options, (sink) =>
    writeLabels(labelled, sink, options.signal, report, csvForm(options)),
  )
}
