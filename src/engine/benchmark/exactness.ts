import { nearestCentroid, squaredDistance } from '@shared/metrics/distance'
import type { Precision } from '@shared/precision'
import type { EngineId } from '@shared/variant'
import type { AnyPoints, Coordinates } from '../engines/engine'
import { Slices } from '../slices'

/** Unit of the bound on inexact labels (kernels/contract.md); WGSL fixes no rounding. */
export const labelUnits = {
  cpu: 2 ** -23,
  cuda: 2 ** -23,
  webgpu: 2 ** -22,
} satisfies Record<EngineId, number>

/** The same of a run in float64, twice over: what it is held against is computed in float64 too. */
const labelUnitFloat64 = 2 ** -51

export function labelUnitOf(engine: EngineId, precision: Precision): number {
  return precision === 'float64' ? labelUnitFloat64 : labelUnits[engine]
}

/** Largest error of a mean, in ranges of its feature, beyond its rounding to float32 (kernels/contract.md). */
export const maxMeanError = 1e-6

export type Centroids = Coordinates

/** The float64 truth about some of the points: which, and which centroid is nearest and how near. */
export interface Sample {
  /** (count); null where they are all points in their order. */
  readonly rows: Int32Array | null
  /** (count) squared distances; NaN where no centroid is left. */
  readonly nearest: Float64Array
  /** (count), ties to the lowest; -1 where no centroid is left. */
  readonly labels: Int32Array
}

/** Rows at the end of the points that are looked at without a gap. */
const endRows = 1024

/**
 * Spread evenly over the points, and their end without a gap: faults of a kernel sit in its last, partial block. All
 * of them where `count` reaches n. Centroids that are NaN (dropped clusters) are nobody's nearest. O(count k d), in
 * float64 and in slices.
 * @throws LabError `cancelled`
 */
export async function sampleOf(
  points: AnyPoints,
  centroids: Centroids,
  k: number,
  count: number,
  signal: AbortSignal,
): Promise<Sample> {
  const { x, d } = points
  const rows = rowsToLookAt(points.n, count)
  const looked = rows?.length ?? points.n
  const nearest = new Float64Array(looked)
  const labels = new Int32Array(looked)
  const slices = new Slices(signal)
  const block = blockOf(k * d)
  for (let i = 0; i < looked; i++) {
    const row = rows?.[i] ?? i
    const chosen = nearestCentroid(x, row, centroids, k, d)
    labels[i] = chosen
    nearest[i] = chosen < 0 ? Number.NaN : squaredDistance(x, row, centroids, chosen, d)
    if (i % block === 0) await slices.next()
  }
  return { rows, nearest, labels }
}

/** Null: all of them. */
export function rowsToLookAt(n: number, count: number): Int32Array | null {
  if (count >= n) return null
  const looked = count
  const end = Math.min(looked >> 1, endRows)
  const spread = looked - end
  const rowAt = (i: number) => (i < spread ? Math.floor((i * (n - end)) / spread) : n - looked + i)
  return Int32Array.from({ length: looked }, (_, i) => rowAt(i))
}

/**
 * Labels of a sample that are not exact in the sense of spec section 3. In slices.
 * @param unit see `labelUnits`
 */
export async function inexactLabels(
  points: AnyPoints,
  centroids: Centroids,
  k: number,
  { rows, nearest }: Sample,
  labels: Int32Array,
  unit: number,
  signal: AbortSignal,
): Promise<number> {
  const { x, d } = points
  const { factor, least } = slackOf(d, unit)
  const slices = new Slices(signal)
  const block = blockOf(d)
  let inexact = 0
  for (let i = 0; i < nearest.length; i++) {
    const row = rows?.[i] ?? i
    const label = labels[row]
    const isCluster = label >= 0 && label < k
    const chosen = isCluster ? squaredDistance(x, row, centroids, label, d) : Number.NaN
    if (!(chosen <= nearest[i] * factor + least)) inexact++
    if (i % block === 0) await slices.next()
  }
  return inexact
}

/**
 * Labels, of all points, that are farther than those of another labelling by more than exactness allows: whatever the
 * other is worth, these are not exact. O(n), and O(d) where the two differ; in float64 and in slices.
 * @param unit see `labelUnits`
 */
export async function fartherLabels(
  { x, n, d }: AnyPoints,
  centroids: Centroids,
  labels: Int32Array,
  others: Int32Array,
  unit: number,
  signal: AbortSignal,
): Promise<number> {
  const { factor, least } = slackOf(d, unit)
  const slices = new Slices(signal)
  let farther = 0
  for (let i = 0; i < n; i++) {
    if (labels[i] !== others[i]) {
      const other = squaredDistance(x, i, centroids, others[i], d)
      const own = squaredDistance(x, i, centroids, labels[i], d)
      if (!Number.isNaN(other) && !(own <= other * factor + least)) farther++
    }
    if (i % 1024 === 0) await slices.next()
  }
  return farther
}

/**
 * (k) points that are as near to a cluster as to their own, within rounding, or that are its own and as near to
 * another: where they go is open. O(n k d) in float64, in slices.
 * @param unit see `labelUnits`
 */
export async function openMembers(
  { x, n, d }: AnyPoints,
  centroids: Centroids,
  k: number,
  unit: number,
  signal: AbortSignal,
): Promise<Float64Array> {
  const { factor, least } = slackOf(d, unit)
  const open = new Float64Array(k)
  const distances = new Float64Array(k)
  const slices = new Slices(signal)
  const block = blockOf(k * d)
  for (let i = 0; i < n; i++) {
    let nearest = Infinity
    for (let c = 0; c < k; c++) {
      distances[c] = squaredDistance(x, i, centroids, c, d)
      if (distances[c] < nearest) nearest = distances[c]
    }
    const bound = nearest * factor + least
    let near = 0
    for (let c = 0; c < k; c++) if (distances[c] <= bound) near++
    if (near > 1) for (let c = 0; c < k; c++) if (distances[c] <= bound) open[c]++
    if (i % block === 0) await slices.next()
  }
  return open
}

/** A squared distance is exact up to `smallest * factor + least` (spec section 3). */
export function slackOf(d: number, unit: number): { readonly factor: number; readonly least: number } {
  return { factor: 1 + (d + 4) * unit, least: d * 2 ** -120 }
}

export interface MemberSums {
  /** (k, d) */
  readonly sums: Float64Array
  /** (k) */
  readonly counts: Float64Array
}

/** Sums and counts of the members in float64; labels outside 0..k-1 are nobody's. O(n d), in slices. */
export async function memberSums(
  { x, n, d }: AnyPoints,
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
 * @param open (k) members that another labelling may count elsewhere, see `openMembers`; each moves a mean by its share
 * @returns infinity for what is no number
 */
export function largestMeanError(
  { sums, counts }: MemberSums,
  before: Centroids,
  found: Centroids,
  ranges: Float64Array,
  open: Float64Array | null = null,
): number {
  const d = ranges.length
  if (found.length !== sums.length) return Number.POSITIVE_INFINITY
  let worst = 0
  for (let at = 0; at < found.length; at++) {
    const cluster = Math.floor(at / d)
    const count = counts[cluster]
    const expected = count > 0 ? sums[at] / count : before[at]
    const moved = open === null ? 0 : (open[cluster] * ranges[at % d]) / Math.max(1, count - open[cluster])
    const error = Math.abs(found[at] - expected) - 2 ** -23 * Math.abs(expected) - moved
    if (Number.isNaN(error)) return Number.POSITIVE_INFINITY
    if (error > worst * ranges[at % d]) worst = error / ranges[at % d]
  }
  return worst
}

/** (d) largest minus smallest value of each feature, engine units. */
export async function rangesOf({ x, n, d }: AnyPoints, signal: AbortSignal): Promise<Float64Array> {
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

/** Points with the same label in both. O(n), in slices. */
export async function sameLabels(a: Int32Array, b: Int32Array, signal: AbortSignal): Promise<number> {
  const slices = new Slices(signal)
  let same = 0
  for (let i = 0; i < b.length; i++) {
    if (a[i] === b[i]) same++
    if (i % (1 << 16) === 0) await slices.next()
  }
  return same
}

/** Bit for bit, NaN and NaN alike. */
export function sameNumbers(a: Centroids, b: Centroids): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (!Object.is(a[at], b[at])) return false
  return true
}

/** Points between two looks at the clock, when one costs so many coordinates. */
function blockOf(coordinates: number): number {
  return Math.max(1, Math.floor((1 << 16) / coordinates))
}
