import { squaredDistance } from '@shared/metrics/distance'
import { cancelled } from '@shared/errors'
import { loadCpuAddon } from '../engines/native'
import { orAborted, Slices } from '../slices'
import { byCluster, type LabelledPoints } from './labelled-points'

/** Pairs between two looks at the clock. */
const blockPairs = 1 << 14
const shareMs = 100
/** Coordinates times points below which handing the work over takes longer than the work. */
const workForAddon = 1 << 14

/** Told now and then which share of the pairs is done. */
export type OnShare = (share: number) => void

/**
 * The silhouette of every point over every pair: (b - a) / max(a, b), where a is the mean distance to the other members of
 * its cluster and b the smallest mean distance to the members of another (Rousseeuw 1987). 0 where a point is alone in its
 * cluster or a = b = 0, as scikit-learn's `silhouette_samples`. O(n² d), by the CPU addon on all threads; in JavaScript, in
 * slices, where it is not there, for few points and for points in float64.
 * @param labelled every point in a cluster, and at least two clusters
 * @throws LabError `cancelled`
 */
export async function silhouetteValues(
  labelled: LabelledPoints,
  signal: AbortSignal,
  onShare: OnShare = () => undefined,
): Promise<Float64Array> {
  const { points, labels, k } = labelled
  const { addon } = loadCpuAddon()
  const { x, n, d } = points
  if (addon?.Silhouettes === undefined || x instanceof Float64Array || n * n * d < workForAddon)
    return silhouettesInSlices(labelled, signal, onShare)
  const native = new addon.Silhouettes()
  const values = new Float64Array(n)
  const cancel = () => native.cancel()
  const timer = setInterval(() => onShare(native.share()), shareMs)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const complete = await orAborted(native.compute(x, d, labels, k, values), signal)
    if (complete === null) throw cancelled()
    return values
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', cancel)
  }
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
