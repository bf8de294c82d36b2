import type { AnyPoints } from '../engines/engine'
import {
  fartherLabels,
  inexactLabels,
  memberSums,
  openMembers,
  rangesOf,
  sameLabels,
  sampleOf,
  type Centroids,
} from './exactness'
import { pointsChecked, typescriptScale } from './sampling'
import type { Verifier } from './verifier'

/** On the thread of the event loop, in slices. */
export function typescriptVerifier(points: AnyPoints): Verifier {
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
