import { Slices } from '../../slices'
import type { Points } from '../engine'

/** Points between two looks at the clock. */
const blockPoints = 65536

/**
 * Sum of the squared distances of all points to their own centroids, in float64, point after point. O(n d) in slices.
 * @param labels (n) rows of centroids. @param centroids (k, d).
 * @returns engine units, squared.
 */
export async function inertiaOf(
  points: Points,
  labels: Int32Array,
  centroids: Float32Array,
): Promise<number> {
  const slices = new Slices()
  const ofBlock = points.d === 2 ? inertiaOfPlane : inertiaOfBlock
  // Widened once, so that the loop does not do it for each point.
  const wide = Float64Array.from(centroids)
  let sum = 0
  for (let first = 0; first < points.n; first += blockPoints) {
    const end = Math.min(points.n, first + blockPoints)
    sum = ofBlock(points, labels, wide, { first, end, sum })
    await slices.next()
  }
  return sum
}

interface Block {
  readonly first: number
  readonly end: number
  /** Of the points before. */
  readonly sum: number
}

/** What the sum grows to by the points of the block. */
function inertiaOfBlock(
  { x, d }: Points,
  labels: Int32Array,
  centroids: Float64Array,
  { first, end, sum }: Block,
): number {
  let all = sum
  for (let i = first, at = first * d; i < end; i++) {
    let own = 0
    for (let j = 0, c = labels[i] * d; j < d; j++, at++, c++) {
      const difference = x[at] - centroids[c]
      own += difference * difference
    }
    all += own
  }
  return all
}

/** The same for two features, where the inner loop would take half of the time. */
function inertiaOfPlane(
  { x }: Points,
  labels: Int32Array,
  centroids: Float64Array,
  { first, end, sum }: Block,
): number {
  let all = sum
  for (let i = first; i < end; i++) {
    const c = 2 * labels[i]
    const right = x[2 * i] - centroids[c]
    const up = x[2 * i + 1] - centroids[c + 1]
    all += right * right + up * up
  }
  return all
}
