import type { AnyPoints, Coordinates } from '@engine/engines/engine'
import type { EmptyPolicy } from '@shared/run-config'

/** The contract of kernels/contract.md in plain float64 loops: what every variant is held to. */
export interface Assignment {
  /** (n) lowest index among the nearest. */
  readonly labels: Int32Array
  /** (n) squared distance to it. */
  readonly nearest: Float64Array
  readonly inertia: number
  /** (k) members. */
  readonly counts: Float64Array
}

/** Float64 squared distance of point i to centroid c. */
export function squaredDistance({ x, d }: AnyPoints, i: number, centroids: Coordinates, c: number): number {
  let sum = 0
  for (let j = 0; j < d; j++) {
    const difference = x[i * d + j] - centroids[c * d + j]
    sum += difference * difference
  }
  return sum
}

/** Clusters in play: a dropped one has a row of NaN. */
export function clustersInPlay(centroids: Coordinates, k: number, d: number): number[] {
  return [...Array(k).keys()].filter((c) => !Number.isNaN(centroids[c * d]))
}

/** Step 1 of the contract. */
export function assign(points: AnyPoints, centroids: Coordinates, k: number): Assignment {
  const { n, d } = points
  const inPlay = clustersInPlay(centroids, k, d)
  const labels = new Int32Array(n)
  const nearest = new Float64Array(n)
  const counts = new Float64Array(k)
  let inertia = 0
  for (let i = 0; i < n; i++) {
    let best = inPlay[0]
    let smallest = squaredDistance(points, i, centroids, best)
    for (let position = 1; position < inPlay.length; position++) {
      const distance = squaredDistance(points, i, centroids, inPlay[position])
      if (distance < smallest) [best, smallest] = [inPlay[position], distance]
    }
    labels[i] = best
    nearest[i] = smallest
    counts[best]++
    inertia += smallest
  }
  return { labels, nearest, inertia, counts }
}

/** The same facts about labels that somebody else chose. */
export function describe(
  points: AnyPoints,
  centroids: Coordinates,
  labels: Int32Array,
  k: number,
): Assignment {
  const nearest = Float64Array.from(labels, (label, i) => squaredDistance(points, i, centroids, label))
  const counts = new Float64Array(k)
  let inertia = 0
  labels.forEach((label, i) => {
    counts[label]++
    inertia += nearest[i]
  })
  return { labels, nearest, inertia, counts }
}

/** Steps 2 and 3 of the contract: new centroids, (k, d) float64 before the one rounding. */
export function update(
  points: AnyPoints,
  centroids: Coordinates,
  assignment: Assignment,
  k: number,
  empty: EmptyPolicy,
): Float64Array {
  const { x, d } = points
  const owner: number[] = [...assignment.labels]
  const counts = assignment.counts.slice()
  const means = Float64Array.from(centroids)
  const mended = new Map<number, number>()
  for (const c of clustersInPlay(centroids, k, d)) {
    if (assignment.counts[c] > 0 || empty === 'keep') continue
    const point = empty === 'farthest' ? farthestPoint(assignment, owner, counts) : -1
    if (empty === 'drop') means.fill(Number.NaN, c * d, (c + 1) * d)
    if (point < 0) continue
    counts[owner[point]]--
    owner[point] = -1
    mended.set(c, point)
  }
  const sums = new Float64Array(k * d)
  owner.forEach((c, i) => {
    for (let j = 0; j < d && c >= 0; j++) sums[c * d + j] += x[i * d + j]
  })
  for (let at = 0; at < means.length; at++) {
    const c = Math.floor(at / d)
    if (counts[c] > 0) means[at] = sums[at] / counts[c]
    const point = mended.get(c)
    if (point !== undefined) means[at] = x[point * d + (at % d)]
  }
  return means
}

function farthestPoint({ nearest }: Assignment, owner: readonly number[], counts: Float64Array): number {
  let farthest = -1
  for (let i = 0; i < owner.length; i++) {
    if (owner[i] < 0 || counts[owner[i]] < 2) continue
    if (farthest < 0 || nearest[i] > nearest[farthest]) farthest = i
  }
  return farthest
}

/** Step 4 of the contract. */
export interface Shift {
  readonly squared: number
  readonly largest: number
  readonly coordinate: number
}

export function shiftOf(before: Coordinates, after: Coordinates, k: number, d: number): Shift {
  let [squared, largest, coordinate] = [0, 0, 0]
  for (const c of clustersInPlay(after, k, d)) {
    let own = 0
    for (let at = c * d; at < (c + 1) * d; at++) {
      own += (after[at] - before[at]) ** 2
      coordinate = Math.max(coordinate, Math.abs(after[at] - before[at]))
    }
    squared += own
    largest = Math.max(largest, Math.sqrt(own))
  }
  return { squared, largest, coordinate }
}

/**
 * Points whose label is not exact in the sense of spec section 3: the float64 distance to the chosen centroid
 * exceeds the smallest by more than (d + 4) * unit of it plus d * 2^-120, or the cluster is not in play.
 * @param nearest as `assign` has it
 * @param unit 2^-23, and 2^-22 where the language fixes no rounding (WGSL).
 */
export function inexactLabels(
  points: AnyPoints,
  centroids: Coordinates,
  labels: Int32Array,
  nearest: Float64Array,
  unit: number,
): number {
  const slack = (points.d + 4) * unit
  const least = points.d * 2 ** -120
  let inexact = 0
  labels.forEach((label, i) => {
    const chosen = squaredDistance(points, i, centroids, label)
    if (!(chosen <= nearest[i] * (1 + slack) + least)) inexact++
  })
  return inexact
}

/** Sum of squares about the mean: the unit in which inertia is compared. */
export function totalSumOfSquares({ x, n, d }: AnyPoints): number {
  const mean = new Float64Array(d)
  for (let at = 0; at < x.length; at++) mean[at % d] += x[at] / n
  let sum = 0
  for (let at = 0; at < x.length; at++) sum += (x[at] - mean[at % d]) ** 2
  return sum
}
