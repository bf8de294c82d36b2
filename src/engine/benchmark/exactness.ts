import { nearestCentroid, squaredDistance } from '@shared/metrics/distance'
import type { EngineId } from '@shared/variant'
import type { Points } from '../engines/engine'
import { Slices } from '../slices'

/** Unit of the bound on inexact labels (kernels/contract.md); WGSL fixes no rounding. */
export const labelUnits = {
  cpu: 2 ** -23,
  cuda: 2 ** -23,
  webgpu: 2 ** -22,
} satisfies Record<EngineId, number>

/** Largest error of a mean, in ranges of its feature, beyond its rounding to float32 (kernels/contract.md). */
export const mostMeanError = 1e-6

export type Centroids = Float32Array | Float64Array

/** The float64 truth about some of the points: which, and how near the nearest centroid is. */
export interface Sample {
  readonly rows: Int32Array
  readonly nearest: Float64Array
}

/**
 * Spread evenly over the points; all of them where `count` reaches n. Centroids that are NaN (dropped clusters) are
 * nobody's nearest. O(count k d), in float64 and in slices.
 * @throws LabError `cancelled`
 */
export async function sampleOf(
  points: Points,
  centroids: Centroids,
  k: number,
  count: number,
  signal: AbortSignal,
): Promise<Sample> {
  const { x, n, d } = points
  const looked = Math.min(n, count)
  const rows = Int32Array.from({ length: looked }, (_, i) => Math.floor((i * n) / looked))
  const nearest = new Float64Array(looked)
  const slices = new Slices(signal)
  const block = blockOf(k * d)
  for (let i = 0; i < looked; i++) {
    const chosen = nearestCentroid(x, rows[i], centroids, k, d)
    nearest[i] = chosen < 0 ? Number.NaN : squaredDistance(x, rows[i], centroids, chosen, d)
    if (i % block === 0) await slices.next()
  }
  return { rows, nearest }
}

/**
 * Labels of a sample that are not exact in the sense of spec section 3. In slices.
 * @param unit see `labelUnits`
 */
export async function inexactLabels(
  points: Points,
  centroids: Centroids,
  k: number,
  { rows, nearest }: Sample,
  labels: Int32Array,
  unit: number,
  signal: AbortSignal,
): Promise<number> {
  const { x, d } = points
  const slack = 1 + (d + 4) * unit
  const least = d * 2 ** -120
  const slices = new Slices(signal)
  const block = blockOf(d)
  let inexact = 0
  for (let i = 0; i < rows.length; i++) {
    const label = labels[rows[i]]
    const isCluster = label >= 0 && label < k
    const chosen = isCluster ? squaredDistance(x, rows[i], centroids, label, d) : Number.NaN
    if (!(chosen <= nearest[i] * slack + least)) inexact++
    if (i % block === 0) await slices.next()
  }
  return inexact
}

export interface MemberSums {
  /** (k, d) */
  readonly sums: Float64Array
  /** (k) */
  readonly counts: Float64Array
}

/** Sums and counts of the members in float64; labels outside 0..k-1 are nobody's. O(n d), in slices. */
export async function memberSums(
  { x, n, d }: Points,
  labels: Int32Array,
  k: number,
  signal: AbortSignal,
): Promise<MemberSums> {
  const sums = new Float64Array(k * d)
  const counts = new Float64Array(k)
  const slices = new Slices(signal)
  const block = blockOf(d)
  for (let i = 0; i < n; i++) {
    const label = labels[i]
    if (label >= 0 && label < k) {
      counts[label]++
      for (let j = 0, from = i * d, to = label * d; j < d; j++) sums[to + j] += x[from + j]
    }
    if (i % block === 0) await slices.next()
  }
  return { sums, counts }
}

/**
 * Largest difference between centroids that were found and the means of the members, in ranges of the feature and
 * beyond the rounding to float32; an empty cluster keeps its centroid.
 * @param before (k, d) the centroids before the update
 * @param ranges (d) largest minus smallest value
 */
export function largestMeanError(
  { sums, counts }: MemberSums,
  before: Centroids,
  found: Centroids,
  ranges: Float64Array,
): number {
  const d = ranges.length
  if (found.length !== sums.length) return Number.POSITIVE_INFINITY
  let worst = 0
  for (let at = 0; at < found.length; at++) {
    const count = counts[Math.floor(at / d)]
    const expected = count > 0 ? sums[at] / count : before[at]
    const error = Math.max(0, Math.abs(found[at] - expected) - 2 ** -23 * Math.abs(expected))
    // Not a number is the worst of all.
    if (!(error <= worst * ranges[at % d])) worst = ranges[at % d] > 0 ? error / ranges[at % d] : Infinity
  }
  return worst
}

/** (d) largest minus smallest value of each feature, engine units. */
export async function rangesOf({ x, n, d }: Points, signal: AbortSignal): Promise<Float64Array> {
  const least = new Float64Array(d).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(d).fill(Number.NEGATIVE_INFINITY)
  const slices = new Slices(signal)
  const block = blockOf(d)
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = 0; j < d; j++, at++) {
      if (x[at] < least[j]) least[j] = x[at]
      if (x[at] > most[j]) most[j] = x[at]
    }
    if (i % block === 0) await slices.next()
  }
  return most.map((value, j) => value - least[j])
}

/** Points between two looks at the clock, when one costs so many coordinates. */
function blockOf(coordinates: number): number {
  return Math.max(1, Math.floor((1 << 16) / coordinates))
}
