import { assertNever } from '@shared/assert-never'
import { LabError } from '@shared/errors'
import { isGroup, type Condition, type Join, type RowFilter } from '@shared/row-filter/row-filter'
import type { Slices } from '../slices'
import { asInFile } from './centre'
import { heldRows, type Dataset } from './dataset'
import { FeatureColumn } from './feature-column'
import { onAddon } from './on-addon'
import { resolveCondition, type RowTest } from './row-condition'

const blockRows = 1 << 14

/** Rows that a filter leaves out are marked with this; see `RowMarks`. */
export const filteredMark = 2

/** What becomes of each row: 0 a point, otherwise why it is none. */
export interface RowMarks {
  readonly marks: Uint8Array
  /** Rows that are marked. */
  readonly count: number
}

/**
 * Marks the rows that a filter does not keep. O(rows conditions), in slices.
 * @throws LabError `filter.*` for a condition that means nothing for its column, `cancelled`
 */
export async function markFiltered(
  dataset: Dataset,
  filter: RowFilter | null,
  slices: Slices,
): Promise<RowMarks> {
  const rows = heldRows(dataset)
  const marks = new Uint8Array(rows)
  if (filter === null) return { marks, count: 0 }
  const keeps = await testOf(dataset, filter, slices)
  let count = 0
  for (let start = 0; start < rows; start += blockRows) {
    const end = Math.min(rows, start + blockRows)
    for (let row = start; row < end; row++) {
      if (keeps(row)) continue
      marks[row] = filteredMark
      count++
    }
    await slices.next()
  }
  return { marks, count }
}

/** For a filter that leaves every row out. */
export function noRowKept({ file }: Dataset): LabError {
  return new LabError(
    'input',
    'filter.no-rows',
    `The filter keeps no row of ${file.name}: change its conditions, or leave it out.`,
  )
}

async function testOf(dataset: Dataset, { join, parts }: RowFilter, slices: Slices): Promise<RowTest> {
  const each: RowTest[] = []
  for (const part of parts) {
    const conditions = isGroup(part) ? part.conditions : [part]
    const tests: RowTest[] = []
    for (const condition of conditions) tests.push(await foundTest(dataset, condition, slices))
    each.push(isGroup(part) ? joined(part.join, tests) : tests[0])
  }
  return joined(join, each)
}

/** Values within a range are found by all threads, before anybody asks for a row. */
async function foundTest(dataset: Dataset, condition: Condition, slices: Slices): Promise<RowTest> {
  const { test, range } = resolveCondition(dataset, condition)
  const own = range && onAddon([new FeatureColumn(range.column, asInFile, null, NaN)])
  if (!range || !own) return test
  const found = new Uint8Array(range.column.length)
  await slices.elsewhere(own.addon.rowsBetween(own.columns[0], range.low, range.high, found))
  return (row) => found[row] === 1
}

function joined(join: Join, each: readonly RowTest[]): RowTest {
  if (each.length === 1) return each[0]
  switch (join) {
    case 'all':
      return (row) => each.every((keeps) => keeps(row))
    case 'any':
      return (row) => each.some((keeps) => keeps(row))
    default:
      return assertNever(join, 'join of conditions')
  }
}
