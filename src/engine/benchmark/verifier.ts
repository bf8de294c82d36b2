import type { Points } from '../engines/engine'
import { loadCpuAddon } from '../engines/native'
import {
  fartherLabels,
  inexactLabels,
  memberSums,
  openMembers,
  rangesOf,
  sameLabels,
  sampleOf,
  type Centroids,
  type MemberSums,
  type Sample,
} from './exactness'
import { nativeVerifier } from './native-verifier'
import { nativeScale, pointsChecked, typescriptScale, type VerificationScale } from './sampling'

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

/** The native one, or its TypeScript twin where the addon was not built. */
export function verifierOf(points: Points): Verifier {
  const native = loadCpuAddon().addon?.Examination
  return native === undefined
    ? typescriptVerifier(points)
    : nativeVerifier(points, new native(points.x, points.n, points.d), verificationScale())
}

/** How fast labels are looked at here, and how many of them. */
export function verificationScale(): VerificationScale {
  const { addon } = loadCpuAddon()
  return addon?.Examination === undefined ? typescriptScale : nativeScale(addon.versions().threads)
}

/** On the thread of the event loop, in slices. */
export function typescriptVerifier(points: Points): Verifier {
  const { n, d } = points
  const clustersOf = (centroids: Centroids) => centroids.length / d
  return {
    ranges: (signal) => rangesOf(points, signal),
    sample: (centroids, signal) => {
      const k = clustersOf(centroids)
      return sampleOf(points, centroids, k, pointsChecked({ n, d, k }, typescriptScale), signal)
    },
    inexactLabels: (centroids, sample, labels, unit, signal) =>
      inexactLabels(points, centroids, clustersOf(centroids), sample, labels, unit, signal),
    fartherLabels: (centroids, labels, others, unit, signal) =>
      fartherLabels(points, centroids, labels, others, unit, signal),
    openMembers: (centroids, unit, signal) =>
      openMembers(points, centroids, clustersOf(centroids), unit, signal),
    memberSums: (labels, k, signal) => memberSums(points, labels, k, signal),
    sameLabels,
    close: () => undefined,
  }
}
