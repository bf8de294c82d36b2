import { clusterTotals } from '../../cluster-totals'
import type { Points } from '../engine'

/**
 * Sum of the squared distances of all points to their own centroids, in float64, see `clusterTotals`.
 * @param labels (n) rows of centroids. @param centroids (k, d).
 * @returns engine units, squared; NaN where a label is no row.
 */
export async function inertiaOf(
  points: Points,
  labels: Int32Array,
  centroids: Float32Array,
): Promise<number> {
  const totals = await clusterTotals(points, labels, centroids)
  return totals?.inertias.reduce((sum, value) => sum + value, 0) ?? Number.NaN
}
