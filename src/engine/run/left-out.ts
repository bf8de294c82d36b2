import { plural } from '@shared/quantity-words'
import type { ImportReceipt } from '@shared/dataset'

type CellCounts = Pick<ImportReceipt, 'tooLong' | 'tooShort'>

/** Rows of the file that are no points, a sentence with their number for each reason. */
export function leftOutWarnings(receipt: CellCounts, droppedRows: number): string[] {
  const ragged = receipt.tooLong + receipt.tooShort
  return [
    ...told(ragged, ragged === 1 ? 'has too many or too few cells' : 'have too many or too few cells'),
    ...told(droppedRows, droppedRows === 1 ? 'misses a number in a feature' : 'miss a number in a feature'),
  ]
}

function told(rows: number, why: string): string[] {
  if (rows === 0) return []
  const [verb, subject] = rows === 1 ? ['was', 'it'] : ['were', 'they']
  return [`${plural(rows, 'row')} of the file ${verb} left out: ${subject} ${why}.`]
}
