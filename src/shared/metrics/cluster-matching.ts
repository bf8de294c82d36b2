import { largestAssignment } from './assignment-problem'
import type { Contingency } from './contingency'

/** Beyond this many clusters on either side the best matching is approximated: O(k^3) would take minutes. */
export const mostMatchedExactly = 1024

/**
 * Matches every cluster of the smaller clustering with one of the larger, so that as many points as possible lie
 * in matched clusters: the assignment problem (Kuhn 1955), solved exactly up to `mostMatchedExactly` clusters a
 * side and greedily beyond, the largest overlap first. A generator, so that the caller can give way in between.
 * @returns (rows) the column matched with each row; -1 where there are fewer columns
 */
export function* matchClusters(table: Contingency): Generator<undefined, Int32Array> {
  if (Math.max(table.rows, table.columns) > mostMatchedExactly) return greedyMatching(table)
  if (table.rows <= table.columns) return yield* largestAssignment(weights(table), table.rows, table.columns)
  const turned = yield* largestAssignment(turn(weights(table), table), table.columns, table.rows)
  const matched = new Int32Array(table.rows).fill(-1)
  for (const [column, row] of turned.entries()) matched[row] = column
  return matched
}

function weights({ rows, columns, cells }: Contingency): Float64Array {
  const dense = new Float64Array(rows * columns)
  for (const { row, column, count } of cells) dense[row * columns + column] = count
  return dense
}

function turn(dense: Float64Array, { rows, columns }: Contingency): Float64Array {
  return dense.map((_, at) => dense[(at % rows) * columns + Math.floor(at / rows)])
}

/** At least half of the best possible (each choice blocks at most two others, neither of them larger). */
function greedyMatching({ rows, columns, cells }: Contingency): Int32Array {
  const matched = new Int32Array(rows).fill(-1)
  const taken = new Uint8Array(columns)
  const match = (row: number, column: number) => {
    if (matched[row] >= 0 || taken[column] === 1) return
    matched[row] = column
    taken[column] = 1
  }
  for (const { row, column } of cells.toSorted((a, b) => b.count - a.count)) match(row, column)
  for (let row = 0, column = 0; row < rows; row++) {
    while (column < columns && taken[column] === 1) column++
    if (column < columns) match(row, column)
  }
  return matched
}
