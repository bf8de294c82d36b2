/** What a result can be saved as, and why some of it cannot. */
import { exportFileNames, exportKinds, type ExportKind } from '@shared/ipc'
import type { RunRecord } from '@shared/run-record'

export interface ExportChoice<Id extends string> {
  readonly id: Id
  readonly name: string
  readonly says: string
  /** Why it cannot be saved, one sentence; null when it can. */
  readonly because: string | null
}

const contents: Readonly<Record<ExportKind, string>> = {
  centroids: 'clusters with their centroids',
  labels: 'the file with cluster and distance',
  'labels-npy': 'clusters of the rows, for NumPy',
  history: 'every iteration',
  'history-centroids': 'centroids of every iteration',
  profile: 'what each cluster is like, feature by feature',
  run: 'everything needed to repeat the run',
  'model-python': 'a module that labels new rows, with numpy',
  'model-pmml': 'the clustering for scoring systems',
  'model-onnx': 'the clustering for ONNX runtimes',
  report: 'one page to hand over: data, settings, clusters, how to repeat it',
  'report-markdown': 'the same as text, without its plot',
}

const noHistory = 'not recorded: run again with the history on'
const noCentroids = 'not recorded: run again with centroid history on'

function missing(id: ExportKind | 'steps', { history, config }: RunRecord): string | null {
  if (id === 'history') return history.length === 0 ? noHistory : null
  if (id === 'history-centroids' || id === 'steps') return config.centroidHistory ? null : noCentroids
  return null
}

export function exportChoices(
  record: RunRecord,
  timedRuns: number,
): readonly ExportChoice<ExportKind | 'steps' | 'timings'>[] {
  return [
    ...exportKinds.map((id) => ({
      id,
      name: exportFileNames[id],
      says: contents[id],
      because: missing(id, record),
    })),
    { id: 'steps', name: 'Step pairs…', says: 'two files per iteration', because: missing('steps', record) },
    {
      id: 'timings',
      name: 'timings.csv',
      says: timedRuns === 1 ? 'this run' : `a row for each of ${timedRuns} runs`,
      because: null,
    },
  ]
}
