import { squaredDistance } from '@shared/metrics/distance'
import { Slices } from '../../slices'
import type { Points } from '../engine'
import { exactDistance } from './exact-distance'
import { FarthestQueue } from './farthest-queue'
import { sumPower, toEven } from './fixed-point'

/** Points between two looks at the clock. */
const blockPoints = 4096

/**
 * Policy `farthest` (kernels/contract.md, step 3): each empty cluster, in index order, takes the point farthest
 * from its own centroid whose donor keeps a member; donors' means are formed without it. O(n d) in slices.
 * @param labels (n) of this assignment; @param before (k, d) it was made against; @param means (k, d) of it.
 * @returns new (k, d) centroids.
 */
export async function fillWithFarthest(
  points: Points,
  labels: Int32Array,
  counts: Uint32Array,
  before: Float32Array,
  means: Float32Array,
): Promise<Float32Array> {
  const { x, d } = points
  const centroids = means.slice()
  const distances = await ownDistances(points, labels, before)
  const exact = (i: number) => exactDistance(x, i, before, labels[i], d)
  const moved = movedPoints(labels, counts, await FarthestQueue.of(distances, exact))
  for (const [point, taker] of moved) centroids.set(x.subarray(point * d, (point + 1) * d), taker * d)
  await setDonorMeans(points, labels, moved, centroids)
  return centroids
}

/** (n) squared distance of each point to its own centroid. */
async function ownDistances(
  { x, n, d }: Points,
  labels: Int32Array,
  centroids: Float32Array,
): Promise<Float64Array> {
  const distances = new Float64Array(n)
  const slices = new Slices()
  for (let i = 0; i < n; i++) {
    distances[i] = squaredDistance(x, i, centroids, labels[i], d)
    if (i % blockPoints === 0) await slices.next()
  }
  return distances
}

/** Which point goes to which empty cluster. A donor only loses members, so a point refused once stays refused. */
function movedPoints(labels: Int32Array, counts: Uint32Array, queue: FarthestQueue): Map<number, number> {
  const left = counts.slice()
  const moved = new Map<number, number>()
  for (let taker = 0; taker < counts.length; taker++) {
    if (counts[taker] > 0) continue
    let point = queue.take()
    while (point !== undefined && left[labels[point]] < 2) point = queue.take()
    if (point === undefined) break
    left[labels[point]]--
    moved.set(point, taker)
  }
  return moved
}

/** Means of the clusters that lost a point: the points' whole numbers leave the sums (kernels/contract.md, "Canonical"). */
async function setDonorMeans(
  points: Points,
  labels: Int32Array,
  moved: ReadonlyMap<number, number>,
  centroids: Float32Array,
): Promise<void> {
  const { x, n, d, maxAbs } = points
  const scales = Float64Array.from(maxAbs, (largest) => 2 ** sumPower(largest, n))
  const donors = new Set([...moved.keys()].map((point) => labels[point]))
  const sums = new Map([...donors].map((donor) => [donor, new Array<bigint>(d).fill(0n)]))
  const members = new Map<number, number>()
  const slices = new Slices()
  for (let i = 0; i < n; i++) {
    if (i % blockPoints === 0) await slices.next()
    const sum = sums.get(labels[i])
    if (sum === undefined || moved.has(i)) continue
    members.set(labels[i], (members.get(labels[i]) ?? 0) + 1)
    for (let j = 0; j < d; j++) sum[j] += BigInt(toEven(x[i * d + j] * scales[j]))
  }
  for (const [donor, sum] of sums) {
    const count = members.get(donor) ?? 1
    centroids.set(
      sum.map((value, j) => Number(value) / scales[j] / count),
      donor * d,
    )
  }
}

/** The clusters that own a point, as positions in the list given; the others are dropped. */
export function survivors(counts: Uint32Array): Uint32Array {
  return Uint32Array.from([...counts.keys()].filter((cluster) => counts[cluster] > 0))
}
