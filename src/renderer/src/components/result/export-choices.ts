/** What a result can be saved as, and why some of it cannot. */
import { exportFileNames, exportKinds, type ExportKind } from '@shared/ipc'
import type { RunRecord } from '@shared/run-record'
import { t } from '@/i18n'

export interface ExportChoice<Id extends string> {
  readonly id: Id
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

function missing(id: ExportKind | 'steps', { history, config }: RunRecord): string | null {
  if (id === 'history') return history.length === 0 ? noHistory() : null
  if (id === 'history-centroids' || id === 'steps') return config.centroidHistory ? null : noCentroids()
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
    {
      id: 'steps',
      name: t('results.stepPairs'),
      says: t('results.twoFilesPerIteration'),
      because: missing('steps', record),
    },
    {
      id: 'timings',
      name: 'timings.csv',
      says: timedRuns === 1 ? t('results.thisRun') : t('results.aRowForEachOfRuns', [timedRuns]),
      because: null,
    },
  ]
}
