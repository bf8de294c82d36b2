/** Words for what the contract names by short identifiers. Every map is closed by its type. */
import { localNumber } from '@shared/locale/translate'
import { localizedSentence } from '@shared/locale/localized-sentence'
import type { DatasetSummary, ImportReceipt } from '@shared/dataset'
import type { CentreView, RunPhase } from '@shared/ipc'
import {
  isUnscaled,
  type InitMethod,
  type RunConfig,
  type ScalingChoice,
  type StopRule,
  type TimingLevel,
} from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { formatBytes, formatCount, plural } from './numbers'
import type { RecordChoice } from './validation'
import { t } from '@/i18n'

export {
  columnarWords,
  delimiterWords,
  emptyWords,
  encodingWords,
  engineWords,
  formatWords,
  initWords,
  missingWords,
  scalingWords,
  scalingsInWords,
  stopWords,
} from '@shared/setting-words'

export const viewWords: Readonly<Record<CentreView, string>> = {
  get clusters() {
    return t('settings.clusters')
  },
  get profiles() {
    return t('settings.profiles')
  },
  get 'choose-k'() {
    return t('settings.chooseK')
  },
  get table() {
    return t('settings.table')
  },
  get steps() {
    return t('settings.steps')
  },
  get benchmark() {
    return t('settings.benchmark')
  },
}

/** Where a run begins, in a sentence. */
export const initHints: Readonly<Record<InitMethod, string>> = {
  get 'k-means++'() {
    return t('settings.rowsFarFromEachOtherThe')
  },
  get 'first-k'() {
    return t('settings.theFirstRowsOfTheFile')
  },
  get random() {
    return t('settings.rowsDrawnByTheSeedNo')
  },
  get 'random-box'() {
    return t('settings.coordinatesDrawnByTheSeedBetween')
  },
  get 'k-means||'() {
    return t('settings.asKMeansManyRowsAt')
  },
  get file() {
    return t('settings.centroidsFromACsvInUnits')
  },
}

/** What ended a run, in a word or two for tables; `stopSentence` says it in full. */
export const stoppedWords: Readonly<Record<RunRecord['stopped'], string>> = {
  get 'relative-shift'() {
    return t('settings.relativeShift2')
  },
  get 'coordinate-shift'() {
    return t('settings.coordinateShift2')
  },
  get inertia() {
    return t('settings.inertiaGain2')
  },
  get labels() {
    return t('settings.labelsUnchanged')
  },
  get none() {
    return t('settings.noShift')
  },
  get 'max-iterations'() {
    return t('settings.iterationLimit')
  },
}

/** Lengths and squared lengths as a scaling leaves them. */
function lengthUnits(choice: ScalingChoice): { readonly plain: string; readonly squared: string } {
  return isUnscaled(choice)
    ? { plain: t('settings.unitsOfTheFile'), squared: t('settings.unitsOfTheFile2') }
    : { plain: t('settings.scaledUnits'), squared: t('settings.scaledUnits2') }
}

/** What the tolerance of a rule is measured in. */
export function toleranceUnits(stop: StopRule, choice: ScalingChoice): string {
  const { plain, squared } = lengthUnits(choice)
  const units: Readonly<Record<StopRule, string>> = {
    'relative-shift': t('settings.meanVariance'),
    'coordinate-shift': plain,
    inertia: squared,
    labels: t('settings.shareOfPoints'),
    none: '',
  }
  return units[stop]
}

export const toleranceHints: Readonly<Record<StopRule, string>> = {
  get 'relative-shift'() {
    return t('settings.stopsWhenTheSquaredShiftOf')
  },
  get 'coordinate-shift'() {
    return t('settings.stopsWhenNoCentroidCoordinateMoved')
  },
  get inertia() {
    return t('settings.stopsWhenAnIterationLowersThe')
  },
  get labels() {
    return t('settings.stopsWhenAtMostThisShare')
  },
  get none() {
    return t('settings.runsUntilTheIterationLimit')
  },
}

export const timingWords: Readonly<Record<TimingLevel, string>> = {
  get total() {
    return t('settings.totalOnly')
  },
  get iterations() {
    return t('settings.perIteration')
  },
  get phases() {
    return t('settings.perPhase')
  },
}

export const recordWords: Readonly<Record<RecordChoice, string>> = {
  get 'iterations-and-centroids'() {
    return t('settings.iterationsAndCentroids')
  },
  get iterations() {
    return t('settings.iterations')
  },
  get nothing() {
    return t('settings.nothing')
  },
}

/** What keeping the history of a run costs. `features`: how many. */
export function recordHint(config: RunConfig, features: number): string {
  const { k, maxIterations, nInit, history, centroidHistory } = config
  if (!history) return t('settings.fastestNoPlotsOfTheIterations')
  const counting = t('settings.inertiaAndChangedLabelsOfEvery')
  if (!centroidHistory) return t('settings.noTimeLine', [counting])
  const most = Math.min(k * features * 4 * maxIterations * nInit, maxCentroidBytes)
  return t('settings.theCentroidsAtMostOfMemory', [counting, formatBytes(most)])
}

/** The engine keeps no more centroids of one run than this. */
const maxCentroidBytes = 256 * 2 ** 20

export const phaseWords: Readonly<Record<RunPhase, string>> = {
  get preparing() {
    return t('settings.preparingTheData')
  },
  get uploading() {
    return t('settings.movingTheDataToTheDevice')
  },
  get seeding() {
    return t('settings.choosingInitialCentroids')
  },
  get iterating() {
    return t('settings.iterating')
  },
  get finishing() {
    return t('settings.finalAssignment')
  },
}

/** What an import did not take as it stands in the file, or how it read it otherwise; empty when there is nothing. */
export function importGaps({ receipt, columns }: Pick<DatasetSummary, 'receipt' | 'columns'>): string {
  const leftOut = receipt.tooLong + receipt.tooShort
  const missing = columns.reduce((sum, column) => sum + (column.type === 'numeric' ? column.missing : 0), 0)
  const gaps = [
    leftOut > 0 ? t('settings.leftOut', [plural(leftOut, 'row')]) : '',
    receipt.doubtfulRows > 0 ? t('settings.withDoubtfulQuotes', [plural(receipt.doubtfulRows, 'row')]) : '',
    missing > 0 ? plural(missing, 'missing cell') : '',
    ...(receipt.findings ?? []).map(localizedSentence),
  ]
  return capitalised(gaps.filter(Boolean).join(', '))
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Everything that an import has to tell: first how the text was read, then what was left out. */
export function importNotes({ warnings, notes }: ImportReceipt): readonly string[] {
  return [...warnings, ...notes].map(localizedSentence)
}

/** Why a run stopped, one sentence. */
export function stopSentence(
  record: Pick<RunRecord, 'stopped' | 'iterations' | 'tolerance' | 'converged'>,
): string {
  const after = t('settings.after', [formatCount(record.iterations)], record.iterations)
  const tolerance = localNumber(String(record.tolerance))
  switch (record.stopped) {
    case 'max-iterations':
      return record.converged
        ? t('settings.reachedTheIterationLimit', [after])
        : t('settings.reachedTheIterationLimitAndHas', [after])
    case 'labels':
      return record.tolerance === 0
        ? t('settings.convergedNoPointChangedCluster', [after])
        : t('settings.convergedAtMostOfThePoints', [after, tolerance])
    case 'inertia':
      return t('settings.convergedTheInertiaFellByLess', [after, tolerance])
    case 'coordinate-shift':
      return t('settings.convergedNoCoordinateMovedByMore', [after, tolerance])
    case 'relative-shift':
      return t('settings.convergedTheShiftFellToMean', [after, tolerance])
    case 'none':
      return t('settings.stoppedNoCentroidMoved', [after])
  }
}

export interface HistoryTitle {
  readonly what: string
  readonly unit: string
}

/** What the plots of a history show, and in what unit. */
export function historyTitles(
  choice: ScalingChoice,
): Readonly<Record<'inertia' | 'shift' | 'changed', HistoryTitle>> {
  const { plain, squared } = lengthUnits(choice)
  return {
    inertia: { what: t('settings.inertia2'), unit: squared },
    shift: { what: t('settings.shift'), unit: t('settings.largest', [plain]) },
    changed: { what: t('settings.changed'), unit: t('settings.points') },
  }
}
