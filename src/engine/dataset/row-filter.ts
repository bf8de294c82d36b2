import { assertNever } from '@shared/assert-never'
import { LabError } from '@shared/errors'
import { isGroup, type Condition, type Join, type RowFilter } from '@shared/row-filter/row-filter'
import type { Slices } from '../slices'
import { heldRows, type Dataset } from './dataset'
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
  const keeps = testOf(dataset, filter)
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

function testOf(dataset: Dataset, { join, parts }: RowFilter): RowTest {
  const test = (condition: Condition) => resolveCondition(dataset, condition)
  const each = parts.map((part) =>
    isGroup(part) ? joined(part.join, part.conditions.map(test)) : test(part),
  )
  return joined(join, each)
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
