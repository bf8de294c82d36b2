import { LabError } from '@shared/errors'
import {
  silhouetteSample,
  type ClusterSilhouette,
  type SilhouetteExtent,
  type Silhouettes,
} from '@shared/silhouettes'
import { emptyLike } from '../dataset/coordinates'
import type { AnyPoints, SilhouetteProvider } from '../engines/engine'
import { Draws, streams } from '../init/philox'
import { sampleRows } from '../init/random'
import type { LabelledPoints } from './labelled-points'
import { silhouetteProvider, silhouetteValues, type ComputedOn, type OnShare } from './silhouette-values'

/** Predicted to take less, silhouettes are exact without being asked for. */
const maxExactMs = 2000
/** Pairs times features of a trial in JavaScript. */
const trialInSlices = 2 ** 22

export interface SilhouetteOptions {
  readonly extent: SilhouetteExtent
  /** Of the sample. */
  readonly seed: number
  readonly signal: AbortSignal
  readonly onShare?: OnShare
  /** Absent: the processor. */
  readonly on?: ComputedOn
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
 * @param labelled every point in a cluster
 * @throws LabError `silhouette.clusters` below two clusters or where every point is alone, `silhouette.sample`, `cancelled`
 */
export async function silhouettesOf(
  labelled: LabelledPoints,
  { extent, seed, signal, onShare, on }: SilhouetteOptions,
): Promise<PointSilhouettes> {
  requireClusters(labelled)
  const { n } = labelled.points
  const provider = silhouetteProvider(labelled.points, on ?? null)
  const isSmall = extent === 'exact' || n <= silhouetteSample
  const isExact = isSmall || (await isQuick(labelled, provider, seed, signal))
  const sample = isExact ? null : rowsOf(n, silhouetteSample, seed)
  const chosen = sample === null ? labelled : subset(labelled, sample)
  if (countClusters(chosen) < 2) throw oneSampled()
  const values = await silhouetteValues(chosen, provider, signal, onShare)
  const clusters = clusterMeans(values, chosen)
  const points = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / points
  const standardError = sample === null ? null : errorOfMean(values, mean)
  return { mean, standardError, points, clusters, values, sample }
}

/** Can a silhouette be told of these labels? */
export function hasSilhouette(labelled: LabelledPoints): boolean {
  const clusters = countClusters(labelled)
  return clusters >= 2 && clusters < labelled.points.n
}

/** By the time that a part of the points takes, for the pairs grow with the square. */
async function isQuick(
  labelled: LabelledPoints,
  provider: SilhouetteProvider | null,
  seed: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { n, d } = labelled.points
  const work = provider?.trialWork ?? trialInSlices
  const size = Math.min(n, Math.max(64, Math.floor(Math.sqrt(work / d))))
  const trial = subset(labelled, rowsOf(n, size, seed))
  if (countClusters(trial) < 2) return false
  const began = performance.now()
  await silhouetteValues(trial, provider, signal)
  return (performance.now() - began) * (n / size) ** 2 < maxExactMs
}

function rowsOf(n: number, count: number, seed: number): Int32Array {
  return sampleRows(n, count, new Draws(seed, streams.silhouetteSample)).sort()
}

function subset({ points, labels, k }: LabelledPoints, rows: Int32Array): LabelledPoints {
  const { d } = points
  const x = emptyLike(points.x, rows.length * d)
  for (const [at, row] of rows.entries()) x.set(points.x.subarray(row * d, (row + 1) * d), at * d)
  const own: AnyPoints = { x, n: rows.length, d, maxAbs: points.maxAbs }
  return { points: own, labels: Int32Array.from(rows, (row) => labels[row]), k }
}

function countClusters({ labels, k }: LabelledPoints): number {
  const isFilled = new Uint8Array(k)
  for (const label of labels) isFilled[label] = 1
  return isFilled.reduce((count, filled) => count + filled, 0)
}

function requireClusters(labelled: LabelledPoints): void {
  if (hasSilhouette(labelled)) return
  const why = countClusters(labelled) < 2 ? 'there is only one cluster' : 'every row is a cluster of its own'
  throw new LabError(
    'input',
    'silhouette.clusters',
    `A silhouette compares clusters, and ${why}: choose a k from 2 to one less than the rows.`,
  )
}

function oneSampled(): LabError {
  return new LabError(
    'input',
    'silhouette.sample',
    `All ${silhouetteSample} rows of the sample lie in one cluster: ask for the exact silhouettes.`,
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
