/** What a result can be saved as, and why some of it cannot. */
import { exportFileNames, type ExportKind } from '@shared/ipc'
import type { RunRecord } from '@shared/run-record'
import { t } from '@/i18n'

export type ChoiceId = ExportKind | 'steps' | 'timings'
export type ExportHeading = 'clusters' | 'iterations' | 'documents' | 'reuse'

export interface ExportChoice {
  readonly id: ChoiceId
  readonly name: string
  readonly says: string
  /** Why it cannot be saved, one sentence; null when it can. */
  readonly because: string | null
}

const contents: Readonly<Record<ExportKind, string>> = {
  get centroids() {
    return t('results.clustersWithTheirCentroids')
  },
  get labels() {
    return t('results.theFileWithClusterAndDistance')
  },
  get 'labels-npy'() {
    return t('results.clustersOfTheRowsForNumpy')
  },
  get history() {
    return t('results.everyIteration')
  },
  get 'history-centroids'() {
    return t('results.centroidsOfEveryIteration')
  },
  get profile() {
    return t('results.whatEachClusterIsLikeFeature')
  },
  get run() {
    return t('results.everythingNeededToRepeatTheRun')
  },
  get 'model-python'() {
    return t('results.aModuleThatLabelsNewRows')
  },
  get 'model-pmml'() {
    return t('results.theClusteringForScoringSystems')
  },
  get 'model-onnx'() {
    return t('results.theClusteringForOnnxRuntimes')
  },
  get report() {
    return t('results.onePageToHandOverData')
  },
  get 'report-markdown'() {
    return t('results.theSameAsTextWithoutIts')
  },
}

const noHistory = () => t('results.notRecordedRunAgainWithThe')
const noCentroids = () => t('results.notRecordedRunAgainWithCentroid')

function missing(id: ChoiceId, { history, config }: RunRecord): string | null {
  if (id === 'history') return history.length === 0 ? noHistory() : null
  if (id === 'history-centroids' || id === 'steps') return config.centroidHistory ? null : noCentroids()
  return null
}

/** The heading that each stands under, in the order in which they are listed. */
const headings: Readonly<Record<ChoiceId, ExportHeading>> = {
  labels: 'clusters',
  'labels-npy': 'clusters',
  centroids: 'clusters',
  profile: 'clusters',
  history: 'iterations',
  'history-centroids': 'iterations',
  steps: 'iterations',
  timings: 'iterations',
  report: 'documents',
  'report-markdown': 'documents',
  run: 'reuse',
  'model-python': 'reuse',
  'model-pmml': 'reuse',
  'model-onnx': 'reuse',
}

/** What a result can be saved as under a heading. */
export function exportChoices(
  heading: ExportHeading,
  record: RunRecord,
  timedRuns: number,
): readonly ExportChoice[] {
  const ids = Object.keys(headings) as ChoiceId[]
  return ids
    .filter((id) => headings[id] === heading)
    .map((id) => ({ id, ...words(id, timedRuns), because: missing(id, record) }))
}

function words(id: ChoiceId, timedRuns: number): Pick<ExportChoice, 'name' | 'says'> {
  if (id === 'steps') return { name: t('results.stepPairs'), says: t('results.twoFilesPerIteration') }
  if (id !== 'timings') return { name: exportFileNames[id], says: contents[id] }
  const says = timedRuns === 1 ? t('results.thisRun') : t('results.aRowForEachOfRuns', [timedRuns])
  return { name: 'timings.csv', says }
}
