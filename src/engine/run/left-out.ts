import { shortFilterText } from '@shared/row-filter/filter-text'
import { isGroup, isRowsCondition, type RowFilter } from '@shared/row-filter/row-filter'
import { formatCount, plural } from '@shared/quantity-words'
import type { ColumnInfo } from '@shared/dataset'
import {
  coarseNumbers,
  dateColumns,
  lostColumn,
  missesItsNumbers,
  oddCells,
  unusedColumns,
  writtenNumbers,
} from '../dataset/column-sentences'
import type { Dataset } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import type { PreparedPoints } from '../dataset/prepared'

type LeftOut = Pick<PreparedPoints, 'leftOutRows' | 'filteredRows'> & {
  readonly preparation: Pick<PreparedPoints['preparation'], 'filter'>
}

/** What was found wrong when a file was read and its points prepared, a sentence each. */
export function dataWarnings(
  dataset: Dataset,
  features: readonly Pick<ColumnInfo, 'index'>[],
  points: LeftOut,
): string[] {
  const { receipt, columns } = dataset
  return [...receipt.warnings, ...leftOutWarnings(dataset, points), ...columnWarnings(columns, features)]
}

/** Rows of the file that are no points: how many for each reason, and the first of them. */
export function leftOutWarnings(dataset: Dataset, points: LeftOut): string[] {
  const { leftOutRecords } = dataset
  const { leftOutRows, filteredRows, preparation } = points
  const missing = leftOutRows.length - filteredRows.length
  const { filter } = preparation
  const conditions = filter ? whyFiltered(filter) : ''
  return [
    ...leftOut(leftOutRecords.length, 'too many or too few cells', () => leftOutRecords[0]),
    ...leftOut(filteredRows.length, conditions, () => fileRow(dataset, filteredRows[0])),
    ...leftOut(missing, 'missing values in the selected columns', () =>
      fileRow(dataset, firstBeside(leftOutRows, filteredRows)),
    ),
  ]
}

/** The first row that the second list, which is part of the first, does not have; both ascend. */
function firstBeside(all: Uint32Array, some: Uint32Array): number {
  return all.find((row, i) => row !== some[i]) ?? NaN
}

/** What a filter alone does to a row that it does not keep. */
function whyFiltered(filter: RowFilter): string {
  const [part, ...others] = filter.parts
  if (part && others.length === 0 && !isGroup(part) && isRowsCondition(part))
    return part.kind === 'not-rows' ? 'picked by hand' : 'not among the picked rows'
  return `the filter ${short(shortFilterText(filter))} does not keep them`
}

const maxFilterShown = 200

function short(text: string): string {
  return text.length > maxFilterShown ? `${text.slice(0, maxFilterShown)}…` : text
}

/**
 * Cells of features that are no numbers, and columns of the file that are no features; where other features were chosen than
 * those proposed, the rest is left out on purpose.
 */
export function columnWarnings(
  columns: readonly ColumnInfo[],
  features: readonly Pick<ColumnInfo, 'index'>[],
): string[] {
  const used = new Set(features.map(({ index }) => index))
  const asProposed = columns.every(({ index, proposed }) => proposed === used.has(index))
  const chosen = columns.filter(({ index, categories }) => used.has(index) && categories === undefined)
  const cells = [writtenNumbers, dateColumns, oddCells, coarseNumbers].flatMap((sentences) =>
    chosen.flatMap(sentences),
  )
  if (!asProposed) return cells
  const unused = columns.filter(({ index }) => !used.has(index))
  const [lost, others] = [unused.filter(missesItsNumbers), unused.filter((info) => !missesItsNumbers(info))]
  return [...lost.flatMap(lostColumn), ...cells, ...unusedColumns(others)]
}

function leftOut(rows: number, why: string, first: () => number): string[] {
  if (rows === 0) return []
  const row = formatCount(first())
  return [
    rows === 1
      ? `${plural(rows, 'row')} of the file was left out: ${why}, in row ${row}.`
      : `${plural(rows, 'row')} of the file were left out: ${why}, the first in row ${row}.`,
  ]
}
