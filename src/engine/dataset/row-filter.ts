import { assertNever } from '@shared/assert-never'
import { LabError } from '@shared/errors'
import { isGroup, type Condition, type Join, type RowFilter } from '@shared/row-filter/row-filter'
import type { Slices } from '../slices'
import { asInFile } from './centre'
import { heldRows, type Dataset } from './dataset'
import { FeatureColumn } from './feature-column'
import { onAddon } from './on-addon'
import { resolveCondition } from './row-condition'

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
  let kept = 0
  const keeps = await keptRows(dataset, filter, slices)
  for (let row = 0; row < rows; row++) {
    kept += keeps[row]
    marks[row] = (1 - keeps[row]) * filteredMark
  }
  return { marks, count: rows - kept }
}

/** For a filter that leaves every row out. */
export function noRowKept({ file }: Dataset): LabError {
  return new LabError(
    'input',
    'filter.no-rows',
    `The filter keeps no row of ${file.name}: change its conditions, or leave it out.`,
  )
}

/** 1 for each row that is kept, else 0. */
async function keptRows(dataset: Dataset, { join, parts }: RowFilter, slices: Slices): Promise<Uint8Array> {
  let kept: Uint8Array | null = null
  for (const part of parts) {
    const own: Uint8Array = isGroup(part)
      ? await keptRows(dataset, { join: part.join, parts: part.conditions }, slices)
      : await fulfilled(dataset, part, slices)
    kept = kept === null ? own : joined(join, kept, own)
    await slices.next()
  }
  return kept ?? new Uint8Array(heldRows(dataset)).fill(1)
}

/** Values within a range are found by all threads. */
async function fulfilled(dataset: Dataset, condition: Condition, slices: Slices): Promise<Uint8Array> {
  const { test, range } = resolveCondition(dataset, condition)
  const own = range && onAddon([new FeatureColumn(range.column, asInFile, null, NaN)])
  const found = new Uint8Array(heldRows(dataset))
  if (range && own) {
    await slices.elsewhere(own.addon.rowsBetween(own.columns[0], range.low, range.high, found))
    return found
  }
  for (let start = 0; start < found.length; start += blockRows) {
    const end = Math.min(found.length, start + blockRows)
    for (let row = start; row < end; row++) found[row] = Number(test(row))
    await slices.next()
  }
  return found
}

/** Into the first of them. */
function joined(join: Join, kept: Uint8Array, others: Uint8Array): Uint8Array {
  switch (join) {
    case 'all':
      for (let row = 0; row < kept.length; row++) kept[row] &= others[row]
      return kept
    case 'any':
      for (let row = 0; row < kept.length; row++) kept[row] |= others[row]
      return kept
    default:
      return assertNever(join, 'join of conditions')
  }
}
