import { largestAssignment } from './assignment-problem'
import type { Contingency } from './contingency'
import { descendingOrder } from './descending-order'

/** Beyond this many clusters on either side the best matching is approximated: O(k^3) would take minutes. */
export const maxMatchedExactly = 1024

/** Cells looked at before the caller may give way. */
const blockCells = 1 << 16

/**
 * Matches every cluster of the smaller clustering with one of the larger, so that as many points as possible lie
 * in matched clusters: the assignment problem (Kuhn 1955), solved exactly up to `maxMatchedExactly` clusters a
 * side and greedily beyond, the largest overlap first. A generator, so that the caller can give way in between.
 * @returns (rows) the column matched with each row; -1 where there are fewer columns
 */
export function* matchClusters(table: Contingency): Generator<undefined, Int32Array> {
  if (Math.max(table.rows, table.columns) > maxMatchedExactly) return yield* greedyMatching(table)
  if (table.rows <= table.columns) return yield* largestAssignment(weights(table), table.rows, table.columns)
  const turned = yield* largestAssignment(turn(weights(table), table), table.columns, table.rows)
  const matched = new Int32Array(table.rows).fill(-1)
  for (const [column, row] of turned.entries()) matched[row] = column
  return matched
}

function weights({ rows, columns, starts, columnOf, counts }: Contingency): Float64Array {
  const dense = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++)
    for (let cell = starts[row]; cell < starts[row + 1]; cell++)
      dense[row * columns + columnOf[cell]] = counts[cell]
  return dense
}

function turn(dense: Float64Array, { rows, columns }: Contingency): Float64Array {
  return dense.map((_, at) => dense[(at % rows) * columns + Math.floor(at / rows)])
}

function rowsOfCells({ rows, starts, counts }: Contingency): Uint32Array {
  const rowOf = new Uint32Array(counts.length)
  for (let row = 0; row < rows; row++) rowOf.fill(row, starts[row], starts[row + 1])
  return rowOf
}

/** At least half of the best possible (each choice blocks at most two others, neither of them larger). */
function* greedyMatching(table: Contingency): Generator<undefined, Int32Array> {
  const { rows, columns, columnOf, counts } = table
  const matched = new Int32Array(rows).fill(-1)
  const taken = new Uint8Array(columns)
  const match = (row: number, column: number) => {
    if (matched[row] >= 0 || taken[column] === 1) return
    matched[row] = column
    taken[column] = 1
  }
  const rowOf = rowsOfCells(table)
  const order = yield* descendingOrder(counts)
  for (let i = 0; i < order.length; i++) {
    match(rowOf[order[i]], columnOf[order[i]])
    if (i % blockCells === 0) yield
  }
  for (let row = 0, column = 0; row < rows; row++) {
    while (column < columns && taken[column] === 1) column++
    if (column < columns) match(row, column)
  }
  return matched
}
