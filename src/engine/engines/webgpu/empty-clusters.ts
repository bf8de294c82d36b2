import type { Points } from '../engine'

/** Float64 squared distance of a point to a centroid row. */
export function squaredDistance(
  x: Float32Array,
  point: number,
  centroids: Float32Array,
  row: number,
  d: number,
): number {
  let sum = 0
  for (let j = 0; j < d; j++) {
    const difference = x[point * d + j] - centroids[row * d + j]
    sum += difference * difference
  }
  return sum
}

/**
 * Policy `farthest` (kernels/contract.md, step 3): each empty cluster, in index order, takes the point farthest
 * from its own centroid whose donor keeps a member; donors' means are formed without it.
 * @param labels (n) of this assignment; @param before (k, d) it was made against; @param means (k, d) of it.
 * @returns new (k, d) centroids.
 */
export function fillWithFarthest(
  points: Points,
  labels: Int32Array,
  counts: Uint32Array,
  before: Float32Array,
  means: Float32Array,
): Float32Array {
  const { x, n, d } = points
  const centroids = means.slice()
  const distances = Float64Array.from(labels, (label, i) => squaredDistance(x, i, before, label, d))
  const left = counts.slice()
  const moved = new Set<number>()
  const donors = new Set<number>()
  for (let cluster = 0; cluster < counts.length; cluster++) {
    if (counts[cluster] > 0) continue
    let farthest = -1
    for (let i = 0; i < n; i++) {
      if (left[labels[i]] < 2 || moved.has(i)) continue
      if (farthest < 0 || distances[i] > distances[farthest]) farthest = i
    }
    if (farthest < 0) break
    moved.add(farthest)
    donors.add(labels[farthest])
    left[labels[farthest]]--
    centroids.set(x.subarray(farthest * d, (farthest + 1) * d), cluster * d)
  }
  for (const donor of donors) {
    centroids.set(meanWithout(points, labels, donor, moved), donor * d)
  }
  return centroids
}

function meanWithout({ x, n, d }: Points, labels: Int32Array, cluster: number, without: Set<number>) {
  const sums = new Float64Array(d)
  let members = 0
  for (let i = 0; i < n; i++) {
    if (labels[i] !== cluster || without.has(i)) continue
    members++
    for (let j = 0; j < d; j++) sums[j] += x[i * d + j]
  }
  return Float32Array.from(sums, (sum) => sum / members)
}

/** The clusters that own a point, as positions in the list given; the others are dropped. */
export function survivors(counts: Uint32Array): Uint32Array {
  return Uint32Array.from([...counts.keys()].filter((cluster) => counts[cluster] > 0))
}
