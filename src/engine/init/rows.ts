import { emptyLike } from '../dataset/coordinates'
import type { AnyPoints, Coordinates } from '../engines/engine'
import { bytesOf, gathered } from '../processes/collective'

/** The coordinates of the given rows, (rows, d), in the precision of the points. */
export function takeRows({ x, d }: Pick<AnyPoints, 'x' | 'd'>, rows: ArrayLike<number>): Coordinates {
  const centroids = emptyLike(x, rows.length * d)
  for (let c = 0; c < rows.length; c++) centroids.set(x.subarray(rows[c] * d, (rows[c] + 1) * d), c * d)
  return centroids
}

/** The same where several processes may hold the points: each tells the rows that it has. */
export async function takeRowsOfAll(
  points: Pick<AnyPoints, 'x' | 'd' | 'part'>,
  rows: Int32Array,
): Promise<Coordinates> {
  const { x, d, part } = points
  if (part === undefined) return takeRows(points, rows)
  const isOwn = (row: number) => row >= part.first && row < part.first + part.count
  const own = [...rows.keys()].filter((c) => isOwn(rows[c]))
  const held = takeRows(
    { x, d },
    own.map((c) => rows[c] - part.first),
  )
  const positions = await gathered(part.processes, bytesOf(Int32Array.from(own)))
  const values = await gathered(part.processes, bytesOf(held))
  const centroids = emptyLike(x, rows.length * d)
  for (const [rank, { buffer }] of positions.entries()) {
    const theirs = new Float32Array(values[rank].buffer as ArrayBuffer)
    new Int32Array(buffer as ArrayBuffer).forEach((c, i) =>
      centroids.set(theirs.subarray(i * d, (i + 1) * d), c * d),
    )
  }
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
