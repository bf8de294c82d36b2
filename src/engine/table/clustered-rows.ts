import type { RunResult } from '@engine/run/types'
import { squaredDistance } from '@shared/metrics/distance'
import { lowerBound } from '../dataset/by-row'

/** Silhouettes of a run by point; null where they were not computed. */
export type Silhouettes = ArrayLike<number> | null

/** What a clustering says of the rows of its dataset. */
export class ClusteredRows {
  readonly #result: RunResult
  readonly #silhouettes: Silhouettes

  constructor(result: RunResult, silhouettes: Silhouettes) {
    this.#result = result
    this.#silhouettes = silhouettes
  }

  get hasSilhouette(): boolean {
    return this.#silhouettes !== null
  }

  /** -1 where the row was left out. */
  clusterOf(row: number): number {
    const point = this.#pointOf(row)
    return point < 0 ? -1 : this.#result.labels[point]
  }

  /** Euclidean, to the centroid of its cluster, units of the scaled data; NaN where the row was left out. */
  distanceOf(row: number): number {
    const point = this.#pointOf(row)
    if (point < 0) return NaN
    const { points, labels, centroids } = this.#result
    const squared = squaredDistance(points.x, point, centroids, labels[point], points.d)
    return Math.sqrt(squared) * 2 ** points.exponent
  }

  /** NaN where it is not known. */
  silhouetteOf(row: number): number {
    const point = this.#pointOf(row)
    return point < 0 ? NaN : (this.#silhouettes?.[point] ?? NaN)
  }

  #pointOf(row: number): number {
    const { rows } = this.#result.points
    if (rows === null) return row
    const at = lowerBound(rows, row)
    return rows[at] === row ? at : -1
  }
}
