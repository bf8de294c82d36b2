/** Cells of one column, for some rows that follow each other. */
export interface ColumnCells {
  readonly rows: number
  /**
   * (rows); NaN where the cell is missing. Null for a column that does not hold numbers. Good until the next column is asked for.
   */
  readonly numbers: Float64Array | null
  /** A cell as it stands in tables of text, whole numbers and decimals with all their digits; `''` where it is missing. */
  textAt(row: number): string
}

/** What a file says of a column: texts stay texts even where they are digits, dates are text of ISO 8601. */
export type ColumnHolds = 'numbers' | 'text' | 'dates'

export interface ColumnarColumn {
  readonly name: string
  readonly holds: ColumnHolds
}

/** A column that cannot be a column of a table. */
export interface LeftOutColumn {
  readonly name: string
  /** In words: `lists`. */
  readonly holds: string
}

/** Rows that follow each other: a row group, a record batch. */
export interface ColumnarGroup {
  readonly rows: number
  /** Bytes of the file up to its end. */
  readonly end: number
  column(index: number): Promise<ColumnCells>
}

/** A file that has columns of its own. */
export interface ColumnarTable {
  readonly columns: readonly ColumnarColumn[]
  readonly leftOut: readonly LeftOutColumn[]
  readonly rows: number
  /** What else is to be said, sentences. */
  readonly warnings: readonly string[]
  /** Its rows in their order. @param limit no more rows than this are wanted */
  groups(limit?: number): AsyncGenerator<ColumnarGroup>
}

/** A value of a file: undefined and null are missing cells. */
export type Value = number | bigint | boolean | string | null | undefined

/** A column of numbers: `numbers[i]` is the float64 nearest to `values[i]`. */
export function numberCells(
  values: ArrayLike<Value>,
  rows: number,
  numbers = nearest(values, rows),
): ColumnCells {
  return { rows, numbers, textAt: (row) => numberText(values[row]) }
}

export function textCells(rows: number, valueAt: (row: number) => Value): ColumnCells {
  return { rows, numbers: null, textAt: (row) => String(valueAt(row) ?? '') }
}

/** (rows) The float64 next to each value, a boolean as 0 or 1. */
export function nearest(values: ArrayLike<Value>, rows: number): Float64Array {
  const numbers = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const value = values[row]
    numbers[row] = value === null || value === undefined ? NaN : Number(value)
  }
  return numbers
}

function numberText(value: Value): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
