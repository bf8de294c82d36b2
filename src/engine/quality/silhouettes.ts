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
  /** Of these points and this seed, where they are clustered more than once. */
  readonly sampling?: SilhouetteSampling
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
  options: SilhouetteOptions,
): Promise<PointSilhouettes> {
  requireClusters(labelled)
  const { extent, seed, signal, onShare, on = null } = options
  const { points: all } = labelled
  const { sampling = new SilhouetteSampling(all, seed) } = options
  const provider = silhouetteProvider(all, on)
  const isSmall = extent === 'exact' || all.n <= silhouetteSample
  const isExact = isSmall || (await sampling.isQuick(labelled, provider, on, signal))
  const sample = isExact ? null : sampling.sample()
  const chosen = sample === null ? labelled : labelledLike(sample, labelled)
  if (countClusters(chosen) < 2) throw oneSampled()
  const values = await silhouetteValues(chosen, provider, signal, onShare)
  const clusters = clusterMeans(values, chosen)
  const points = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / points
  const standardError = sample === null ? null : errorOfMean(values, mean)
  return { mean, standardError, points, clusters, values, sample: sample?.rows ?? null }
}

/** Can a silhouette be told of these labels? */
export function hasSilhouette(labelled: LabelledPoints): boolean {
  const clusters = countClusters(labelled)
  return clusters >= 2 && clusters < labelled.points.n
}

/**
 * What silhouettes of the same points have in common, however they are clustered: whether exact ones are quick, tried once on
 * each device, and the rows of the sample. All that a scan compares is then of one kind.
 */
export class SilhouetteSampling {
  readonly #quick = new Map<string, boolean>()
  #sample: Sample | null = null

  constructor(
    private readonly points: AnyPoints,
    private readonly seed: number,
  ) {}

  /** By the time that a part of the points takes, for the pairs grow with the square. */
  async isQuick(
    labelled: LabelledPoints,
    provider: SilhouetteProvider | null,
    on: ComputedOn | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const where = on === null ? '' : `${on.engine.id} ${on.deviceId}`
    const known = this.#quick.get(where)
    if (known !== undefined) return known
    const isQuick = (await this.#predictedMs(labelled, provider, signal)) < maxExactMs
    this.#quick.set(where, isQuick)
    return isQuick
  }

  sample(): Sample {
    this.#sample ??= sampleOf(this.points, silhouetteSample, this.seed)
    return this.#sample
  }

  /** Infinite where a part of the points lies in one cluster. */
  async #predictedMs(
    labelled: LabelledPoints,
    provider: SilhouetteProvider | null,
    signal: AbortSignal,
  ): Promise<number> {
    const { n, d } = this.points
    const work = provider?.trialWork ?? trialInSlices
    const size = Math.min(n, Math.max(64, Math.floor(Math.sqrt(work / d))))
    const trial = labelledLike(sampleOf(this.points, size, this.seed), labelled)
    if (countClusters(trial) < 2) return Infinity
    const began = performance.now()
    await silhouetteValues(trial, provider, signal)
    return (performance.now() - began) * (n / size) ** 2
  }
}

/** Some of the points. */
interface Sample {
  /** Which they are, ascending. */
  readonly rows: Int32Array
  readonly points: AnyPoints
}

function sampleOf({ x: all, n, d, maxAbs }: AnyPoints, count: number, seed: number): Sample {
  const rows = sampleRows(n, count, new Draws(seed, streams.silhouetteSample)).sort()
  const x = emptyLike(all, count * d)
  for (const [at, row] of rows.entries()) x.set(all.subarray(row * d, (row + 1) * d), at * d)
  return { rows, points: { x, n: count, d, maxAbs } }
}

function labelledLike({ points, rows }: Sample, { labels, k }: LabelledPoints): LabelledPoints {
  return { points, labels: Int32Array.from(rows, (row) => labels[row]), k }
}

/** Looks no further than to where all have been seen. */
function countClusters({ labels, k }: LabelledPoints): number {
  const isFilled = new Uint8Array(k)
  let count = 0
  for (let i = 0; i < labels.length && count < k; i++) {
    if (isFilled[labels[i]] !== 0) continue
    isFilled[labels[i]] = 1
    count++
  }
  return count
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
