import type { Dataset } from '../dataset/dataset'
import type { Slices } from '../slices'
import type { Cells, ColumnRange } from './row-cells'

/** Cells of data that were made in memory and have no file. */
export async function heldCells(
  dataset: Dataset,
  rows: readonly number[],
  { first, end }: ColumnRange,
  slices: Slices,
): Promise<Cells[]> {
  const answers: Cells[] = []
  for (const row of rows) {
    answers.push(Array.from({ length: end - first }, (_, i) => heldText(dataset, first + i, row)))
    await slices.next()
  }
  return answers
}

function heldText({ numeric, categories }: Dataset, column: number, row: number): string | null {
  const value = numeric[column]?.at(row)
  if (value !== undefined) return Number.isNaN(value) ? null : String(value)
  const texts = categories?.[column]
  return texts?.values[texts.at(row)] ?? null
}
