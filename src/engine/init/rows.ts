import { emptyLike } from '../dataset/coordinates'
import type { AnyPoints, Coordinates } from '../engines/engine'

/** The coordinates of the given rows, (rows, d), in the precision of the points. */
export function takeRows({ x, d }: Pick<AnyPoints, 'x' | 'd'>, rows: ArrayLike<number>): Coordinates {
  const centroids = emptyLike(x, rows.length * d)
  for (let c = 0; c < rows.length; c++) centroids.set(x.subarray(rows[c] * d, (rows[c] + 1) * d), c * d)
  return centroids
}

/**
 * Fills a list up to k with the lowest rows not yet in it: what is left to do when there are fewer distinct
 * points than clusters. The clusters that get them stay empty, or share their points by the tie rule.
 */
export function fillUp(rows: readonly number[], k: number): number[] {
  const chosen = [...rows]
  const taken = new Set(rows)
  for (let row = 0; chosen.length < k; row++) if (!taken.has(row)) chosen.push(row)
  return chosen
}
