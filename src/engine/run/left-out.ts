import { formatCount, plural } from '@shared/quantity-words'
import type { ColumnInfo } from '@shared/dataset'
import {
  coarseNumbers,
  lostColumn,
  missesItsNumbers,
  oddCells,
  unusedColumns,
} from '../dataset/column-sentences'
import type { Dataset } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import type { PreparedPoints } from '../dataset/prepared'

/** What was found wrong when a file was read and its points prepared, a sentence each. */
export function dataWarnings(
  dataset: Dataset,
  features: readonly Pick<ColumnInfo, 'index'>[],
  points: Pick<PreparedPoints, 'leftOutRows'>,
): string[] {
  const { receipt, columns } = dataset
  return [...receipt.warnings, ...leftOutWarnings(dataset, points), ...columnWarnings(columns, features)]
}

/** Rows of the file that are no points: how many for each reason, and the first of them. */
export function leftOutWarnings(
  dataset: Dataset,
  { leftOutRows }: Pick<PreparedPoints, 'leftOutRows'>,
): string[] {
  const { leftOutRecords } = dataset
  return [
    ...leftOut(leftOutRecords.length, 'too many or too few cells', () => leftOutRecords[0]),
    ...leftOut(leftOutRows.length, 'missing values in the selected columns', () =>
      fileRow(dataset, leftOutRows[0]),
    ),
  ]
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
  const chosen = columns.filter(({ index }) => used.has(index))
  const cells = [...chosen.flatMap(oddCells), ...chosen.flatMap(coarseNumbers)]
  if (!asProposed) return cells
  const unused = columns.filter(({ index }) => !used.has(index))
  const [lost, others] = [unused.filter(missesItsNumbers), unused.filter((info) => !missesItsNumbers(info))]
  return [...lost.flatMap(lostColumn), ...cells, ...unusedColumns(others)]
}

function leftOut(rows: number, why: string, first: () => number): string[] {
  if (rows === 0) return []
  const [were, where] = rows === 1 ? ['was', 'in row'] : ['were', 'the first in row']
  return [`${plural(rows, 'row')} of the file ${were} left out: ${why}, ${where} ${formatCount(first())}.`]
}
