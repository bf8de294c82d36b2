import { squaredDistance } from '@shared/metrics/distance'
import { cancelled, LabError } from '@shared/errors'
import { engines } from '../engines'
import type { AnyPoints, Engine, SilhouetteProvider } from '../engines/engine'
import { orAborted, Slices } from '../slices'
import { byCluster, type LabelledPoints } from './labelled-points'

/** Pairs between two looks at the clock. */
const blockPairs = 1 << 14
const shareMs = 100
/** Pairs times features below which handing the work over takes longer than the work. */
const workForProvider = 1 << 14

/** Told now and then which share of the pairs is done. */
export type OnShare = (share: number) => void

/** Where a clustering was computed: its silhouettes are then too, where that is worth it. */
export interface ComputedOn {
  readonly engine: Engine
  readonly deviceId: string
}

/** What computes the silhouettes of these points; null where nothing but JavaScript does. */
export function silhouetteProvider(points: AnyPoints, on: ComputedOn | null): SilhouetteProvider | null {
  return on?.engine.silhouettes?.(points, on.deviceId) ?? engines.cpu.silhouettes?.(points, 'cpu') ?? null
}

/**
 * The silhouette of every point over every pair: (b - a) / max(a, b), where a is the mean distance to the other members of
 * its cluster and b the smallest mean distance to the members of another (Rousseeuw 1987). 0 where a point is alone in its
 * cluster or a = b = 0, as scikit-learn's `silhouette_samples`. O(n² d), by an engine; in JavaScript, in slices, where there
 * is none, for few points and for points in float64.
 * @param labelled every point in a cluster, and at least two clusters
 * @throws LabError `engine-lost`, `cancelled`
 */
export async function silhouetteValues(
  labelled: LabelledPoints,
  provider: SilhouetteProvider | null,
  signal: AbortSignal,
  onShare: OnShare = () => undefined,
): Promise<Float64Array> {
  const { points, labels, k } = labelled
  const { x, n, d } = points
  if (provider === null || x instanceof Float64Array || n * n * d < workForProvider)
    return silhouettesInSlices(labelled, signal, onShare)
  const values = new Float64Array(n)
  const cancel = () => provider.cancel()
  const timer = setInterval(() => onShare(provider.share()), shareMs)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const complete = await orAborted(provider.compute(x, d, labels, k, values), signal)
    if (complete === null) throw cancelled()
    return values
  } catch (thrown) {
    throw signal.aborted || thrown instanceof LabError ? thrown : failed(thrown)
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', cancel)
  }
}

function failed(thrown: unknown): LabError {
  return new LabError(
    'engine-lost',
    'silhouette.failed',
    'The silhouettes could not be computed to their end: ask for them again, or choose engine cpu.',
    String(thrown),
  )
}

/** As `silhouetteValues`, without the addon and in float64; NaN for points of no cluster. */
export async function silhouettesInSlices(
  { points, labels, k }: LabelledPoints,
  signal: AbortSignal,
  onShare: OnShare = () => undefined,
): Promise<Float64Array> {
  const { x, n, d } = points
  const clusters = byCluster(labels, k)
  const values = new Float64Array(n).fill(NaN)
  const sums = new Float64Array(k)
  const slices = new Slices(signal)
  const block = Math.max(1, Math.floor(blockPairs / Math.max(1, clusters.order.length)))
  for (const [at, point] of clusters.order.entries()) {
    sums.fill(0)
    for (let cluster = 0; cluster < k; cluster++) {
      for (let i = clusters.starts[cluster]; i < clusters.starts[cluster + 1]; i++)
        sums[cluster] += Math.sqrt(squaredDistance(x, point, x, clusters.order[i], d))
    }
    values[point] = silhouetteOf(sums, clusters.starts, labels[point])
    if (at % block !== 0) continue
    onShare(at / clusters.order.length)
    await slices.next()
  }
  return values
}

/** @param sums (k) of the distances to the members of each cluster */
function silhouetteOf(sums: Float64Array, starts: Uint32Array, own: number): number {
  const sizeOf = (cluster: number) => starts[cluster + 1] - starts[cluster]
  if (sizeOf(own) === 1) return 0
  const a = sums[own] / (sizeOf(own) - 1)
  let b = Infinity
  for (let cluster = 0; cluster < sums.length; cluster++) {
    if (cluster !== own && sizeOf(cluster) > 0) b = Math.min(b, sums[cluster] / sizeOf(cluster))
  }
  const largest = Math.max(a, b)
  return largest === 0 ? 0 : (b - a) / largest
}
