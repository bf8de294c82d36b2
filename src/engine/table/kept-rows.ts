import type { TableFilter, ValueRange } from '@shared/table'
import type { Dataset } from '../dataset/dataset'
import { markFiltered } from '../dataset/row-filter'
import type { RowTest } from '../dataset/row-condition'
import { rowsNumbered } from '../dataset/rows-numbered'
import type { Slices } from '../slices'
import type { ClusteredRows } from './clustered-rows'
import { eachBlock } from './number-order'

/**
 * Rows of which all of a filter holds, ascending; null where that is every row. O(rows), in slices.
 * @throws LabError `filter.*`, `cancelled`
 */
export async function keptRows(
  dataset: Dataset,
  clustered: ClusteredRows | null,
  filter: TableFilter,
  slices: Slices,
): Promise<Uint32Array | null> {
  const tests = testsOf(dataset, clustered, filter)
  if (tests.length === 0 && filter.columns === null) return null
  const { marks } = await markFiltered(dataset, filter.columns, slices)
  let count = 0
  await eachBlock(dataset.rows, slices, (from, to) => {
    for (let row = from; row < to; row++) {
      if (marks[row] === 0 && !tests.every((holds) => holds(row))) marks[row] = 1
      if (marks[row] === 0) count++
    }
  })
  const kept = new Uint32Array(count)
  for (let row = 0, at = 0; row < dataset.rows; row++) if (marks[row] === 0) kept[at++] = row
  return kept
}

function testsOf(
  dataset: Dataset,
  clustered: ClusteredRows | null,
  { clusters, distance, silhouette, picked }: TableFilter,
): RowTest[] {
  const tests: RowTest[] = []
  if (picked !== null) tests.push(rowsNumbered(dataset, picked))
  if (clusters !== null) {
    const among = new Set(clusters)
    tests.push((row) => among.has(clustered?.clusterOf(row) ?? -1))
  }
  if (distance !== null) tests.push(within(distance, (row) => clustered?.distanceOf(row) ?? NaN))
  if (silhouette !== null) tests.push(within(silhouette, (row) => clustered?.silhouetteOf(row) ?? NaN))
  return tests
}

function within({ least, most }: ValueRange, valueOf: (row: number) => number): RowTest {
  const [low, high] = [least ?? -Infinity, most ?? Infinity]
  return (row) => {
    const value = valueOf(row)
    return value >= low && value <= high
  }
}
