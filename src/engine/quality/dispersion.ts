import type { Dispersion } from '@shared/metrics/dispersion'
import { loadCpuAddon, type CpuAddon } from '../engines/native'
import { orAborted, Slices } from '../slices'
import type { LabelledPoints } from './labelled-points'

const blockValues = 1 << 15
/** Coordinates below which handing the work over takes longer than the work. */
const coordinatesForAddon = 20_000

/**
 * Means of the members of each cluster, and their distances to them, engine units, float64. O(n d) in two passes, by the CPU
 * addon on all threads; in JavaScript, in slices, where it is not there, for few points and for points in float64.
 * @param labelled every point in a cluster @throws LabError `cancelled`
 */
export async function dispersionOf(labelled: LabelledPoints, signal: AbortSignal): Promise<Dispersion> {
  const { addon } = loadCpuAddon()
  const { x, n, d } = labelled.points
  if (addon?.clusterTotals === undefined || x instanceof Float64Array || n * d < coordinatesForAddon)
    return dispersionInSlices(labelled, signal)
  const own = await orAborted(dispersionOnAddon(addon, x, labelled), signal)
  return own ?? dispersionInSlices(labelled, signal)
}

/** Null where the addon cannot tell. */
async function dispersionOnAddon(
  addon: CpuAddon,
  x: Float32Array,
  { points: { n, d, maxAbs }, labels, k }: LabelledPoints,
): Promise<Dispersion | null> {
  const summer = new addon.MemberSums(x, n, d, maxAbs, true)
  const members = await summer.sum(labels, 0, k).finally(() => summer.close())
  if (members === null) return null
  const sizes = Float64Array.from(members.counts)
  const means = members.sums.map((sum, at) => (sum === 0 ? 0 : sum / sizes[Math.floor(at / d)]))
  const totals = await addon.clusterTotals?.(x, d, labels, means, true)
  if (totals?.distances === undefined) return null
  const { inertias, distances } = totals
  // Means are multiples of this: what lies no farther away is equal points, or a point alone.
  const resolution = 2 ** (Math.ceil(Math.log2(n)) - 62)
  const hasExtent = (cluster: number) => inertias[cluster] > sizes[cluster] * d * resolution ** 2
  const extents = (sums: Float64Array) => sums.map((sum, cluster) => (hasExtent(cluster) ? sum : 0))
  return { n, d, sizes, means, squares: extents(inertias), distances: extents(distances) }
}

/** As `dispersionOf`, without the addon. */
export async function dispersionInSlices(
  { points: { x, n, d }, labels, k }: LabelledPoints,
  signal: AbortSignal,
): Promise<Dispersion> {
  const sizes = new Float64Array(k)
  const means = new Float64Array(k * d)
  const squares = new Float64Array(k)
  const distances = new Float64Array(k)
  await eachPoint(labels, d, new Slices(signal), (point, label) => {
    sizes[label]++
    for (let j = 0; j < d; j++) means[label * d + j] += x[point * d + j]
  })
  for (let at = 0; at < means.length; at++) means[at] /= sizes[Math.floor(at / d)]
  await eachPoint(labels, d, new Slices(signal), (point, label) => {
    let square = 0
    for (let j = 0; j < d; j++) square += (x[point * d + j] - means[label * d + j]) ** 2
    squares[label] += square
    distances[label] += Math.sqrt(square)
  })
  return { n, d, sizes, means, squares, distances }
}

async function eachPoint(
  labels: Int32Array,
  d: number,
  slices: Slices,
  visit: (point: number, label: number) => void,
): Promise<void> {
  const block = Math.max(1, Math.floor(blockValues / d))
  for (let start = 0; start < labels.length; start += block) {
    const end = Math.min(labels.length, start + block)
    for (let point = start; point < end; point++) visit(point, labels[point])
    await slices.next()
  }
}
