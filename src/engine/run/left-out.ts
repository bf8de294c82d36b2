import { plural } from '@shared/quantity-words'
import type { ColumnInfo, ImportReceipt } from '@shared/dataset'
import { lostColumn, missesItsNumbers, oddCells, unusedColumns } from '../dataset/column-sentences'

type CellCounts = Pick<ImportReceipt, 'tooLong' | 'tooShort'>

/** Rows of the file that are no points, a sentence with their number for each reason. */
export function leftOutWarnings(receipt: CellCounts, droppedRows: number): string[] {
  const ragged = receipt.tooLong + receipt.tooShort
  return [
    ...leftOut(ragged, 'too many or too few cells'),
    ...leftOut(droppedRows, 'missing values in the selected columns'),
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
  const cells = columns.filter(({ index }) => used.has(index)).flatMap(oddCells)
  if (!asProposed) return cells
  const unused = columns.filter(({ index }) => !used.has(index))
  const [lost, others] = [unused.filter(missesItsNumbers), unused.filter((info) => !missesItsNumbers(info))]
  return [...lost.flatMap(lostColumn), ...cells, ...unusedColumns(others)]
}

function leftOut(rows: number, why: string): string[] {
  if (rows === 0) return []
  return [`${plural(rows, 'row')} of the file ${rows === 1 ? 'was' : 'were'} left out: ${why}.`]
}
