import { squaredDistance } from '@shared/metrics/distance'
import type { RunResult } from '../run/types'
import type { Slices } from '../slices'

/** The cluster whose centroid is nearest, -1 for none, and how far it is, units of the scaled data. */
export interface NearestClusters {
  /** (count) */
  readonly nearest: Int32Array
  /** (count) NaN for none. */
  readonly distance: Float64Array
}

/** Of clusters `start` to `start + count - 1`; a cluster without points is nobody's neighbour. O(count k d), in slices. */
export async function nearestClusters(
  { record, centroids, points }: RunResult,
  start: number,
  count: number,
  slices: Slices,
): Promise<NearestClusters> {
  const { k, d, clusters } = record
  const filled = clusters.filter(({ size }) => size > 0).map(({ cluster }) => cluster)
  const nearest = new Int32Array(count).fill(-1)
  const distance = new Float64Array(count).fill(NaN)
  for (let at = 0; at < Math.min(count, k - start); at++) {
    if (clusters[start + at].size === 0) continue
    let least = Infinity
    for (const other of filled) {
      if (other === start + at) continue
      const square = squaredDistance(centroids, start + at, centroids, other, d)
      if (square < least) [least, nearest[at]] = [square, other]
    }
    if (least < Infinity) distance[at] = Math.sqrt(least) * 2 ** points.exponent
    await slices.next()
  }
  return { nearest, distance }
}
