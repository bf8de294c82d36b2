import { LabError } from '@shared/errors'
import {
  silhouetteSample,
  type ClusterSilhouette,
  type SilhouetteExtent,
  type Silhouettes,
} from '@shared/silhouettes'
import { emptyLike } from '../dataset/coordinates'
import type { AnyPoints } from '../engines/engine'
import { Draws, streams } from '../init/philox'
import { sampleRows } from '../init/random'
import type { LabelledPoints } from './labelled-points'
import { silhouettesInSlices } from './silhouette-values'

export interface SilhouetteOptions {
  readonly extent: SilhouetteExtent
  /** Of the sample. */
  readonly seed: number
  readonly signal: AbortSignal
  /** Called with the share that is done. */
  readonly onShare?: (share: number) => void
}

/** Silhouettes with the value of each point. */
export interface PointSilhouettes extends Silhouettes {
  /** (points) */
  readonly values: Float64Array
  /** (points) which points they are, ascending; null where they are all. */
  readonly sample: Int32Array | null
}

/**
 * Silhouettes of a clustering in engine units, which are those of the scaled data: exact, or of a sample of 20 000 points
 * among themselves (as scikit-learn's `sample_size`), with the standard error of its mean.
 * @throws LabError `silhouette.clusters` below two clusters or where every point is alone, `cancelled`
 */
export async function silhouettesOf(
  labelled: LabelledPoints,
  { extent, seed, signal, onShare }: SilhouetteOptions,
): Promise<PointSilhouettes> {
  const isExact = extent === 'exact' || labelled.points.n <= silhouetteSample
  const sample = isExact ? null : sampleOf(labelled.points.n, seed)
  const chosen = sample === null ? labelled : subset(labelled, sample)
  requireClusters(chosen)
  const values = await silhouettesInSlices(chosen, signal, onShare)
  const clusters = clusterMeans(values, chosen)
  const points = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / points
  const standardError = sample === null ? null : errorOfMean(values, mean)
  return { mean, standardError, points, clusters, values, sample }
}

function sampleOf(n: number, seed: number): Int32Array {
  return sampleRows(n, silhouetteSample, new Draws(seed, streams.silhouetteSample)).sort()
}

function subset({ points, labels, k }: LabelledPoints, rows: Int32Array): LabelledPoints {
  const { d } = points
  const x = emptyLike(points.x, rows.length * d)
  for (const [at, row] of rows.entries()) x.set(points.x.subarray(row * d, (row + 1) * d), at * d)
  const own: AnyPoints = { x, n: rows.length, d, maxAbs: points.maxAbs }
  return { points: own, labels: Int32Array.from(rows, (row) => labels[row]), k }
}

function requireClusters({ labels, points }: LabelledPoints): void {
  const clusters = new Set(labels).size
  if (clusters >= 2 && clusters < points.n) return
  const why = clusters < 2 ? 'there is only one cluster' : 'every row is a cluster of its own'
  throw new LabError(
    'input',
    'silhouette.clusters',
    `A silhouette compares clusters, and ${why}: choose a k from 2 to one less than the rows.`,
  )
}

function clusterMeans(values: Float64Array, { labels, k }: LabelledPoints): ClusterSilhouette[] {
  const sums = new Float64Array(k)
  const sizes = new Float64Array(k)
  for (const [at, value] of values.entries()) {
    sums[labels[at]] += value
    sizes[labels[at]]++
  }
  return Array.from(sums, (sum, cluster) => ({ cluster, size: sizes[cluster], mean: sum / sizes[cluster] }))
}

function errorOfMean(values: Float64Array, mean: number): number {
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}
