import type { Centroids, MemberSums, Sample } from './exactness'

/**
 * Looks at labels, centroids and means of certain points, in float64; see the functions of the same names in exactness.ts.
 * Every look may throw LabError `cancelled`.
 */
export interface Verifier {
  /** (d) */
  ranges(signal: AbortSignal): Promise<Float64Array>
  /** The truth about as many points as can be looked at in a moment, see `pointsChecked`. */
  sample(centroids: Centroids, signal: AbortSignal): Promise<Sample>
  inexactLabels(
    centroids: Centroids,
    sample: Sample,
    labels: Int32Array,
    unit: number,
    signal: AbortSignal,
  ): Promise<number>
  fartherLabels(
    centroids: Centroids,
    labels: Int32Array,
    others: Int32Array,
    unit: number,
    signal: AbortSignal,
  ): Promise<number>
  openMembers(centroids: Centroids, unit: number, signal: AbortSignal): Promise<Float64Array>
  memberSums(labels: Int32Array, k: number, signal: AbortSignal): Promise<MemberSums>
  sameLabels(a: Int32Array, b: Int32Array, signal: AbortSignal): Promise<number>
  /** Never throws. */
  close(): void
}
