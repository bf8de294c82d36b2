import { isMissingMark, parseNumber } from './number'
import type { RecordForm, RowShape } from './table-reader'

type Cells = readonly string[]

/**
 * Do the cells of a line, cut at delimiters alone, look like a row of the table? Those in columns of numbers are
 * numbers or missing marks, and there is a number. Quotes count for nothing, for they are what is doubtful.
 * @param pivot index of the cell with the doubtful quote: the line may have more cells than the table where that
 *   one, or one behind it, holds delimiters; columns behind it are then counted from the end
 */
export function looksLikeRow(cells: Cells, { dialect, shape }: RecordForm, pivot = Infinity): boolean {
  if (shape === null || !isAsLong(cells, shape, pivot)) return false
  const surplus = Math.max(0, cells.length - shape.width)
  const isSurplusBlank = surplus === 1 && cells[shape.width].trim() === ''
  let numbers = 0
  for (const column of shape.numeric) {
    if (column === pivot && surplus > 0 && !isSurplusBlank) continue
    const at = column > pivot && !isSurplusBlank ? column + surplus : column
    const cell = cells[at].replaceAll(dialect.quote, '')
    if (parseNumber(cell, dialect.decimal) !== null) numbers++
    else if (!isMissingMark(cell)) return false
  }
  return numbers > 0
}

function isAsLong(cells: Cells, { width }: RowShape, pivot: number): boolean {
  return pivot === Infinity ? hasWidth(cells, width) : cells.length >= width
}

/** A row's cells, or one empty cell more: a delimiter at the end of the line. */
export function hasWidth(cells: Cells, width: number): boolean {
  return cells.length === width || endsWithDelimiter(cells, width)
}

export function endsWithDelimiter(cells: Cells, width: number): boolean {
  return cells.length === width + 1 && cells[width].trim() === ''
}

/** What a quoted cell of several lines looks like, each of them cut at delimiters alone. */
export interface SpannedLines {
  /** The record's first line, with the cells before the quoted one as they were read. */
  readonly first: Cells
  /** Index of the quoted cell in it. */
  readonly opens: number
  /** The lines behind it; the last one in full length. */
  readonly further: readonly Cells[]
  /** Index of the cell of the last line in which the closing quote stands. */
  readonly closes: number
  /** The record is the header, or a title. */
  readonly isAboveData: boolean
}

/**
 * Is it rows that a stray quote would swallow? `rows`: more than half of the lines within look like rows, or
 * the first one does and at least half of all others. `perhaps`: the first and another have the cells of a row.
 */
export function swallowed(lines: SpannedLines, form: RecordForm): 'rows' | 'perhaps' | 'none' {
  const { first, opens, closes, isAboveData } = lines
  if (form.shape === null) return 'none'
  const { width } = form.shape
  const last = lines.further[lines.further.length - 1]
  const within = lines.further.slice(0, -1).filter((cells) => cells.length > 1 || cells[0].trim() !== '')
  const rowsWithin = within.filter((cells) => looksLikeRow(cells, form)).length
  if (rowsWithin * 2 > within.length) return 'rows'
  const rows = rowsWithin + (looksLikeRow(last, form, closes) ? 1 : 0)
  const isFirstRow = isAboveData ? first.length >= width : looksLikeRow(first, form, opens)
  if (isFirstRow && rows > 0 && rows * 2 >= within.length + 1) return 'rows'
  const isWide = [...within, last].some((cells) => cells.length >= width)
  return width > 1 && first.length >= width && isWide ? 'perhaps' : 'none'
}
