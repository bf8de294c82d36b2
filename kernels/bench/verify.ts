import type { Points, Session } from '@engine/engines/engine'
import type { RunShape } from '@shared/variant'
import { check, checkAtMost, checkSame } from '../test/check'
import type { Contender } from '../test/contenders'
import type { Blobs } from './blobs'

const mostSampled = 20_000
const never = new AbortController().signal

/** The float64 truth about some of the points: which, and how near the nearest centroid is. */
export interface Sample {
  readonly rows: Int32Array
  readonly nearest: Float64Array
}

/** Spread evenly over the points. O(sample k d), in float64. */
export function sampleOf({ points, centroids }: Blobs, k: number): Sample {
  const count = Math.min(points.n, mostSampled)
  const rows = Int32Array.from({ length: count }, (_, i) => Math.floor((i * points.n) / count))
  const nearest = Float64Array.from(rows, (row) => {
    let smallest = Number.POSITIVE_INFINITY
    for (let c = 0; c < k; c++) smallest = Math.min(smallest, squaredDistance(points, row, centroids, c))
    return smallest
  })
  return { rows, nearest }
}

/** What was looked at, for the record. */
export interface Verified {
  readonly labelsChecked: number
  /** Largest difference of a coordinate after one iteration, in ranges of its column. */
  readonly centroidError: number
}

/**
 * One iteration in the very session that is timed afterwards: labels of the sample exact in the sense of the contract, centroids the
 * means of the members, within 1e-6 of the column's range.
 * @throws CheckFailure when they are not.
 */
export async function verify(
  { labelUnit }: Contender,
  { k }: RunShape,
  session: Session,
  blobs: Blobs,
  sample: Sample,
): Promise<Verified> {
  await session.start(blobs.centroids)
  const { labels } = await session.read()
  checkLabels(blobs, k, sample, labels, labelUnit)
  await session.start(blobs.centroids)
  await session.advance({ iterations: 1, milliseconds: Number.MAX_SAFE_INTEGER }, never)
  const { centroids } = await session.read()
  return { labelsChecked: sample.rows.length, centroidError: checkMeans(blobs, k, labels, centroids) }
}

function checkLabels(
  { points, centroids }: Blobs,
  k: number,
  { rows, nearest }: Sample,
  labels: Int32Array,
  unit: number,
): void {
  checkSame(labels.length, points.n, 'number of labels')
  const slack = 1 + (points.d + 4) * unit
  const least = points.d * 2 ** -120
  let inexact = 0
  rows.forEach((row, i) => {
    const label = labels[row]
    const isCluster = label >= 0 && label < k
    const chosen = isCluster ? squaredDistance(points, row, centroids, label) : Number.NaN
    if (!(chosen <= nearest[i] * slack + least)) inexact++
  })
  check(inexact === 0, `${inexact} of ${rows.length} labels are inexact`)
}

/** @returns the largest error, in ranges. */
function checkMeans(
  { points, centroids, ranges }: Blobs,
  k: number,
  labels: Int32Array,
  found: Float32Array,
): number {
  const { d } = points
  const { sums, counts } = memberSums(points, labels, k)
  checkSame(found.length, k * d, 'coordinates of centroids')
  let worst = 0
  for (let at = 0; at < found.length; at++) {
    const count = counts[Math.floor(at / d)]
    const expected = count > 0 ? sums[at] / count : centroids[at]
    // Beyond the one rounding to float32.
    const error = Math.max(0, Math.abs(found[at] - expected) - 2 ** -24 * Math.abs(expected))
    if (!(error <= worst * ranges[at % d])) worst = error / ranges[at % d]
  }
  checkAtMost(worst, 1e-6, 'largest error of a centroid, in ranges of its column')
  return worst
}

function memberSums({ x, n, d }: Points, labels: Int32Array, k: number) {
  const sums = new Float64Array(k * d)
  const counts = new Float64Array(k)
  for (let i = 0, from = 0; i < n; i++) {
    const to = labels[i] * d
    counts[labels[i]]++
    for (let j = 0; j < d; j++, from++) sums[to + j] += x[from]
  }
  return { sums, counts }
}

function squaredDistance({ x, d }: Points, row: number, centroids: Float32Array, c: number): number {
  let sum = 0
  for (let j = 0, a = row * d, b = c * d; j < d; j++, a++, b++) sum += (x[a] - centroids[b]) ** 2
  return sum
}
