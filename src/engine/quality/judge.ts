import { LabError } from '@shared/errors'
import { adjustedRandIndex } from '@shared/metrics/adjusted-rand'
import { ContingencyCounter } from '@shared/metrics/contingency'
import { calinskiHarabasz, daviesBouldin } from '@shared/metrics/dispersion'
import { normalisedMutualInformation } from '@shared/metrics/mutual-information'
import type { PreparationChoice } from '@shared/run-config'
import type { SilhouetteExtent, Silhouettes } from '@shared/silhouettes'
import type { Dataset } from '../dataset/dataset'
import { preparationOf } from '../dataset/preparation'
import { prepare } from '../dataset/prepare'
import type { PreparedPoints } from '../dataset/prepared'
import { dataWarnings } from '../run/left-out'
import { toScaledSquare } from '../run/units'
import { finished, Slices } from '../slices'
import { dispersionOf } from './dispersion'
import type { LabelledPoints } from './labelled-points'
import type { RowClasses } from './row-classes'
import { hasSilhouette, silhouettesOf, type SilhouetteOptions } from './silhouettes'

/** What is judged. */
export interface JudgeTask {
  readonly dataset: Dataset
  /** Features and scaling, as for a run. */
  readonly choice: PreparationChoice
  readonly labels: RowClasses
  /** Known classes; null where there are none. */
  readonly truth: RowClasses | null
  readonly extent: SilhouetteExtent
  /** Of the sample. */
  readonly seed: number
}

/** What indices say of a clustering, whoever made it. Null where an index is not defined. */
export interface Judgement {
  readonly n: number
  readonly d: number
  /** Clusters that have rows. */
  readonly k: number
  /** Rows of the dataset without a label, or left out by the filter or for a missing cell. */
  readonly leftOut: number
  /** About the means of the clusters, units of the scaled data. */
  readonly inertia: number
  readonly silhouettes: Silhouettes | null
  readonly calinskiHarabasz: number | null
  readonly daviesBouldin: number | null
  /** Null without known classes. */
  readonly adjustedRand: number | null
  readonly mutualInformation: number | null
  /** (labels) rows of each. */
  readonly sizes: Float64Array
  /** Of what was left out of the file, and why. */
  readonly warnings: readonly string[]
}

/** Judges labels that a file holds. @throws LabError `judge.no-rows`, as `prepare`, `cancelled` */
export async function judge(
  task: JudgeTask,
  signal: AbortSignal,
  onShare?: SilhouetteOptions['onShare'],
): Promise<Judgement> {
  const { dataset, choice, labels, extent, seed } = task
  const { features, preparation } = preparationOf(dataset, choice)
  const points = await prepare(dataset, preparation, signal)
  const { labelled, rows } = labelledOnly(points, labels)
  if (rows.length === 0) throw noRows(dataset)
  const dispersion = await dispersionOf(labelled, signal)
  const options = { extent, seed, signal, ...(onShare && { onShare }) }
  const found = hasSilhouette(labelled) ? await silhouettesOf(labelled, options) : null
  return {
    n: rows.length,
    d: points.d,
    k: dispersion.sizes.filter((size) => size > 0).length,
    leftOut: dataset.rows - rows.length,
    inertia: toScaledSquare(
      dispersion.squares.reduce((sum, own) => sum + own, 0),
      points.exponent,
    ),
    silhouettes: found,
    calinskiHarabasz: calinskiHarabasz(dispersion),
    daviesBouldin: daviesBouldin(dispersion),
    ...(await agreement(task, rows, signal)),
    sizes: dispersion.sizes,
    warnings: [...dataWarnings(dataset, features, points), ...unlabelled(points.n - rows.length)],
  }
}

function unlabelled(count: number): string[] {
  if (count === 0) return []
  return [
    count === 1 ? '1 row has no label and was left out.' : `${count} rows have no label and were left out.`,
  ]
}

/** Points that have a label, and the dataset row of each. */
function labelledOnly(
  points: PreparedPoints,
  { names, codes }: RowClasses,
): { readonly labelled: LabelledPoints; readonly rows: Uint32Array } {
  const { x, n, d, maxAbs } = points
  const rowOf = (point: number) => points.rows?.[point] ?? point
  const chosen = Uint32Array.from({ length: n }, (_, point) => point).filter(
    (point) => codes[rowOf(point)] >= 0,
  )
  const isWhole = chosen.length === n
  const own = isWhole ? x : x.slice(0, chosen.length * d)
  if (!isWhole) chosen.forEach((point, at) => own.set(x.subarray(point * d, (point + 1) * d), at * d))
  const rows = chosen.map(rowOf)
  const labels = Int32Array.from(rows, (row) => codes[row])
  return { labelled: { points: { x: own, n: rows.length, d, maxAbs }, labels, k: names.length }, rows }
}

async function agreement(
  { labels, truth }: JudgeTask,
  rows: Uint32Array,
  signal: AbortSignal,
): Promise<Pick<Judgement, 'adjustedRand' | 'mutualInformation'>> {
  if (truth === null) return { adjustedRand: null, mutualInformation: null }
  const counter = new ContingencyCounter(labels.names.length, truth.names.length, rows.length)
  for (const row of rows) if (truth.codes[row] >= 0) counter.add(labels.codes[row], truth.codes[row])
  const table = await finished(counter.table(), new Slices(signal))
  return {
    adjustedRand: adjustedRandIndex(table),
    mutualInformation: normalisedMutualInformation(table),
  }
}

function noRows({ file }: Dataset): LabError {
  return new LabError(
    'input',
    'judge.no-rows',
    `No row of ${file.name} has both a label and all chosen features: choose other labels, or other features.`,
  )
}
