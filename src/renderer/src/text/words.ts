/** Words for what the contract names by short identifiers. Every map is closed by its type. */
import type {
  ColumnarFormat,
  DatasetSummary,
  Delimiter,
  Encoding,
  ImportReceipt,
  MissingPolicy,
  Scaling,
} from '@shared/dataset'
import type { CentreView, RunPhase } from '@shared/ipc'
import {
  isUnscaled,
  type EmptyPolicy,
  type InitMethod,
  type RunConfig,
  type ScalingChoice,
  type StopRule,
  type TimingLevel,
} from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import type { EngineId } from '@shared/variant'
import { formatBytes, plural } from './numbers'
import type { RecordChoice } from './validation'

export const engineWords: Readonly<Record<EngineId, string>> = { cpu: 'CPU', cuda: 'CUDA', webgpu: 'WebGPU' }

export const viewWords: Readonly<Record<CentreView, string>> = {
  clusters: 'Clusters',
  profiles: 'Profiles',
  'choose-k': 'Choose k',
  table: 'Table',
  steps: 'Steps',
  benchmark: 'Benchmark',
}

export const initWords: Readonly<Record<InitMethod, string>> = {
  'k-means++': 'k-means++',
  'first-k': 'First k rows',
  random: 'Random rows',
  'random-box': 'Random coordinates',
  'k-means||': 'k-means||',
  file: 'From a file…',
}

/** Where a run begins, in a sentence. */
export const initHints: Readonly<Record<InitMethod, string>> = {
  'k-means++': 'Rows far from each other, the best of a few draws each time.',
  'first-k': 'The first rows of the file, whatever the seed.',
  random: 'Rows drawn by the seed, no row twice.',
  'random-box':
    'Coordinates drawn by the seed between the smallest and largest value of each feature: clusters may stay empty.',
  'k-means||': 'As k-means++, many rows at a time.',
  file: 'Centroids from a CSV, in units of the file.',
}

export const stopWords: Readonly<Record<StopRule, string>> = {
  'relative-shift': 'Relative shift',
  'coordinate-shift': 'Coordinate shift',
  inertia: 'Inertia gain',
  labels: 'Labels changed',
  none: 'Fixed number of iterations',
}

/** What ended a run, in a word or two for tables; `stopSentence` says it in full. */
export const stoppedWords: Readonly<Record<RunRecord['stopped'], string>> = {
  'relative-shift': 'relative shift',
  'coordinate-shift': 'coordinate shift',
  inertia: 'inertia gain',
  labels: 'labels unchanged',
  none: 'no shift',
  'max-iterations': 'iteration limit',
}

/** Lengths and squared lengths as a scaling leaves them. */
function lengthUnits(choice: ScalingChoice): { readonly plain: string; readonly squared: string } {
  return isUnscaled(choice)
    ? { plain: 'units of the file', squared: 'units² of the file' }
    : { plain: 'scaled units', squared: 'scaled units²' }
}

/** What the tolerance of a rule is measured in. */
export function toleranceUnits(stop: StopRule, choice: ScalingChoice): string {
  const { plain, squared } = lengthUnits(choice)
  const units: Readonly<Record<StopRule, string>> = {
    'relative-shift': '× mean variance',
    'coordinate-shift': plain,
    inertia: squared,
    labels: 'share of points',
    none: '',
  }
  return units[stop]
}

export const toleranceHints: Readonly<Record<StopRule, string>> = {
  'relative-shift':
    'Stops when the squared shift of all centroids is at most tolerance × mean feature variance.',
  'coordinate-shift': 'Stops when no centroid coordinate moved by more than the tolerance.',
  inertia: 'Stops when an iteration lowers the inertia by less than the tolerance.',
  labels: 'Stops when at most this share of the points changed cluster.',
  none: 'Runs until the iteration limit.',
}

export const missingWords: Readonly<Record<MissingPolicy, string>> = {
  drop: 'Drop the row',
  mean: 'Column mean',
  median: 'Column median',
  refuse: 'Refuse to run',
}

export const scalingWords: Readonly<Record<Scaling, string>> = {
  none: 'None',
  standardise: 'Standardise',
  'min-max': 'Min–max',
  robust: 'Robust',
  'unit-length': 'Unit length',
}

/** `Standardise, but a: Robust`. */
export function scalingsInWords({ scaling, columnScalings = [] }: ScalingChoice): string {
  const own = columnScalings.map((one) => `${one.column}: ${scalingWords[one.scaling]}`)
  return own.length === 0 ? scalingWords[scaling] : `${scalingWords[scaling]}, but ${own.join(', ')}`
}

export const emptyWords: Readonly<Record<EmptyPolicy, string>> = {
  keep: 'Keep centroid',
  farthest: 'Farthest point',
  drop: 'Drop cluster',
}

export const timingWords: Readonly<Record<TimingLevel, string>> = {
  total: 'Total only',
  iterations: 'Per iteration',
  phases: 'Per phase',
}

export const recordWords: Readonly<Record<RecordChoice, string>> = {
  'iterations-and-centroids': 'Iterations and centroids',
  iterations: 'Iterations',
  nothing: 'Nothing',
}

/** What keeping the history of a run costs. `features`: how many. */
export function recordHint(config: RunConfig, features: number): string {
  const { k, maxIterations, nInit, history, centroidHistory } = config
  if (!history) return 'Fastest: no plots of the iterations, no time line.'
  const counting = 'Inertia and changed labels of every iteration cost a little speed'
  if (!centroidHistory) return `${counting}; no time line.`
  const most = Math.min(k * features * 4 * maxIterations * nInit, maxCentroidBytes)
  return `${counting}, the centroids at most ${formatBytes(most)} of memory.`
}

/** The engine keeps no more centroids of one run than this. */
const maxCentroidBytes = 256 * 2 ** 20

export const phaseWords: Readonly<Record<RunPhase, string>> = {
  preparing: 'Preparing the data',
  uploading: 'Moving the data to the device',
  seeding: 'Choosing initial centroids',
  iterating: 'Iterating',
  finishing: 'Final assignment',
}

export const delimiterWords: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  '\t': 'tab',
  ';': 'semicolon',
  '|': 'vertical bar',
  ' ': 'blanks',
}

export const columnarWords: Readonly<Record<ColumnarFormat, string>> = {
  npy: 'NumPy array',
  parquet: 'Parquet',
  arrow: 'Arrow IPC (Feather 2)',
}

export const encodingWords: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  latin1: 'Latin-1',
}

/** What an import did not take as it stands in the file, or how it read it otherwise; empty when there is nothing. */
export function importGaps({ receipt, columns }: Pick<DatasetSummary, 'receipt' | 'columns'>): string {
  const leftOut = receipt.tooLong + receipt.tooShort
  const missing = columns.reduce((sum, column) => sum + (column.type === 'numeric' ? column.missing : 0), 0)
  const gaps = [
    leftOut > 0 ? `${plural(leftOut, 'row')} left out` : '',
    receipt.doubtfulRows > 0 ? `${plural(receipt.doubtfulRows, 'row')} with doubtful quotes` : '',
    missing > 0 ? `${plural(missing, 'cell')} missing` : '',
    ...(receipt.findings ?? []),
  ]
  return capitalised(gaps.filter(Boolean).join(', '))
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Everything that an import has to tell: first how the text was read, then what was left out. */
export function importNotes({ warnings, notes }: ImportReceipt): readonly string[] {
  return [...warnings, ...notes]
}

/** Why a run stopped, one sentence. */
export function stopSentence(
  record: Pick<RunRecord, 'stopped' | 'iterations' | 'tolerance' | 'converged'>,
): string {
  const after = `after ${plural(record.iterations, 'iteration')}`
  const tolerance = String(record.tolerance)
  switch (record.stopped) {
    case 'max-iterations':
      return record.converged
        ? `Reached the iteration limit ${after}.`
        : `Reached the iteration limit ${after} and has not converged.`
    case 'labels':
      return record.tolerance === 0
        ? `Converged ${after}: no point changed cluster.`
        : `Converged ${after}: at most ${tolerance} of the points changed cluster.`
    case 'inertia':
      return `Converged ${after}: the inertia fell by less than ${tolerance}.`
    case 'coordinate-shift':
      return `Converged ${after}: no coordinate moved by more than ${tolerance}.`
    case 'relative-shift':
      return `Converged ${after}: the shift fell to ${tolerance} × mean variance or below.`
    case 'none':
      return `Stopped ${after}: no centroid moved.`
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
    inertia: { what: 'Inertia', unit: squared },
    shift: { what: 'Shift', unit: `largest, ${plain}` },
    changed: { what: 'Changed', unit: 'points' },
  }
}
