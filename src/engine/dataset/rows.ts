import type { DatasetRow } from '@shared/dataset'
import { dateText } from '@shared/dates'
import { Slices } from '../slices'
import type { Dataset } from './dataset'
import { fileRow } from './file-row'

/**
 * Rows as they are held: numbers in units of the file, dates as text, null for missing cells and for other text.
 * @throws LabError `cancelled`
 */
export async function heldRows(
  dataset: Dataset,
  rows: readonly number[],
  signal: AbortSignal,
): Promise<DatasetRow[]> {
  const slices = new Slices(signal)
  const answers: DatasetRow[] = []
  for (const row of rows) {
    const cells = dataset.columns.map(({ index }) => heldCell(dataset, index, row))
    answers.push({ row, fileRow: fileRow(dataset, row), cells })
    await slices.next()
  }
  return answers
}

function heldCell({ numeric, columns }: Dataset, index: number, row: number): string | number | null {
  const value = numeric[index]?.at(row) ?? NaN
  if (Number.isNaN(value)) return null
  const { date } = columns[index]
  return date === undefined ? value : dateText(value, date.unit)
}
