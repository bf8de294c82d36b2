import { isMissingMark, parseNumber } from './number'
import type { RecordForm } from './table-reader'

/**
 * Do the cells of a line, taken for itself, look like a row of the table? They are as many, those in columns of
 * numbers are numbers or missing marks, and there is a number. Quotes count for nothing, for they are doubtful.
 */
export function looksLikeRow(cells: readonly string[], { dialect, shape }: RecordForm): boolean {
  if (shape === null) return false
  if (!hasWidth(cells, shape.width)) return false
  let numbers = 0
  for (const column of shape.numeric) {
    const cell = cells[column].replaceAll(dialect.quote, '')
    if (parseNumber(cell, dialect.decimal) !== null) numbers++
    else if (!isMissingMark(cell)) return false
  }
  return numbers > 0
}

/** A row's cells, or one empty cell more. */
export function hasWidth(cells: readonly string[], width: number): boolean {
  return cells.length === width || endsWithDelimiter(cells, width)
}

/** One empty cell too many: a delimiter at the end of the line. */
export function endsWithDelimiter(cells: readonly string[], width: number): boolean {
  return cells.length === width + 1 && cells[width].trim() === ''
}
