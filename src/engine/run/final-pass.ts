import { LabError } from '@shared/errors'
import { clusterTotals, type ClusterTotals } from '../cluster-totals'
import type { AnyPoints, Coordinates } from '../engines/engine'

/** What the final labels come to against the final centroids, engine units. */
export interface FinalPass extends ClusterTotals {
  readonly inertia: number
}

/**
 * Sizes and inertias computed once more on the host, so that what is exported is consistent whatever the engine
 * did. O(n d) in float64. A label outside 0..k-1, or of a dropped cluster, is a fault of an engine.
 * @param centroids (k, d) @param labels (n), of points that several processes hold those of this one
 * @throws LabError `run.inconsistent-labels`, `cancelled`
 */
export async function finalPass(
  points: AnyPoints,
  centroids: Coordinates,
  labels: Int32Array,
  signal: AbortSignal,
): Promise<FinalPass> {
  const own = points.part?.count ?? points.n
  const totals = labels.length === own ? await clusterTotals(points, labels, centroids, signal) : null
  const inertia = totals?.inertias.reduce((sum, value) => sum + value, 0) ?? Number.NaN
  if (totals !== null && Number.isFinite(inertia)) return { ...totals, inertia }
  throw new LabError(
    'internal',
    'run.inconsistent-labels',
    'The engine gave labels that do not fit its centroids: choose another variant and please report this.',
  )
}
