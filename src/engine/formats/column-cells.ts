import type { RowPart } from '../engines/engine'

/** Cells of one column, for some rows that follow each other. */
export interface ColumnCells {
  readonly rows: number
  /**
   * (rows); NaN where the cell is missing. Null for a column that does not hold numbers. Good until the next column is asked for.
   */
  readonly numbers: Float64Array | null
  /**
   * Numbers whose texts are the cells, so that none of them need be made one by one; null where cells have a form of their own.
   * Good as long as `textAt`.
   */
  exact(): ExactNumbers | null
  /** A cell as it stands in tables of text, whole numbers and decimals with all their digits; `''` where it is missing. */
  textAt(row: number): string
}

/** What numbers of a file lie in. */
export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array

/** The cell of a row is `String(values[first + row * step])`, that of -0 is `0`. */
export interface ExactNumbers {
  readonly values: NumberArray
  readonly first: number
  readonly step: number
  /** (rows) 1 where the cell is missing; null where none is. */
  readonly missing: Uint8Array | null
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

/** A group, and where it lies. */
export interface LocatedGroup extends Pick<ColumnarGroup, 'rows' | 'column'> {
  /** 0-based row of the table. */
  readonly first: number
}

/** A file that has columns of its own. */
export interface ColumnarTable {
  readonly columns: readonly ColumnarColumn[]
  readonly leftOut: readonly LeftOutColumn[]
  /** What a number is kept in, where that is known; absent: as few bytes as its column needs. */
  readonly numberBytes?: number
  readonly rows: number
  /** What else is to be said, sentences. */
  readonly warnings: readonly string[]
  /** Its rows in their order. @param part those that are wanted; absent: all */
  groups(part?: RowPart): AsyncGenerator<ColumnarGroup>
  /** Rows that hold this one, good for longer than until the next are asked for. */
  groupAt(row: number): Promise<LocatedGroup>
}

/** A value of a file: undefined and null are missing cells. */
export type Value = number | bigint | boolean | string | null | undefined

/** A column of numbers: `numbers[i]` is the float64 nearest to `values[i]`. */
export function numberCells(
  values: ArrayLike<Value> | NumberArray,
  rows: number,
  numbers = nearest(values, rows),
): ColumnCells {
  return {
    rows,
    numbers,
    exact: () => (ArrayBuffer.isView(values) ? exactly(values) : exactOf(values, rows)),
    textAt: (row) => numberText(values[row]),
  }
}

export const everyRow: RowPart = { first: 0, count: Infinity }

/** Some rows of a group that lies anywhere in the table; null where none of them is wanted. @param first row of the group */
export function groupWithin(group: ColumnarGroup, first: number, part: RowPart): ColumnarGroup | null {
  const begin = Math.max(0, part.first - first)
  const rows = Math.min(group.rows, part.first + part.count - first) - begin
  if (rows <= 0) return null
  if (rows === group.rows) return group
  return { ...group, rows, column: async (index) => cellsWithin(await group.column(index), begin, rows) }
}

function cellsWithin(cells: ColumnCells, begin: number, rows: number): ColumnCells {
  return {
    rows,
    numbers: cells.numbers && cells.numbers.subarray(begin, begin + rows),
    exact: () => {
      const all = cells.exact()
      if (all === null) return null
      const { values, first, step, missing } = all
      return {
        ...{ values, first: first + begin * step, step },
        missing: missing && missing.subarray(begin, begin + rows),
      }
    },
    textAt: (row) => cells.textAt(begin + row),
  }
}

export function textCells(rows: number, valueAt: (row: number) => Value): ColumnCells {
  return { rows, numbers: null, exact: () => null, textAt: (row) => String(valueAt(row) ?? '') }
}

/** Row by row as they lie. */
function exactly(values: NumberArray, missing: Uint8Array | null = null): ExactNumbers {
  return { values, first: 0, step: 1, missing }
}

function exactOf(values: ArrayLike<Value>, rows: number): ExactNumbers | null {
  const numbers = new Float64Array(rows)
  const missing = new Uint8Array(rows)
  for (let row = 0; row < rows; row++) {
    const value = values[row]
    if (typeof value === 'number' || typeof value === 'boolean') numbers[row] = Number(value)
    else if (value === null || value === undefined) missing[row] = 1
    else return exactWholes(values, rows)
  }
  return exactly(numbers, missing)
}

/** Null where a number is none of 64 bits with a sign. */
function exactWholes(values: ArrayLike<Value>, rows: number): ExactNumbers | null {
  const wholes = new BigInt64Array(rows)
  const missing = new Uint8Array(rows)
  for (let row = 0; row < rows; row++) {
    const value = values[row]
    if (value === null || value === undefined) missing[row] = 1
    else if (typeof value !== 'bigint') return null
    else {
      wholes[row] = value
      if (wholes[row] !== value) return null
    }
  }
  return exactly(wholes, missing)
}

/** (rows) The float64 next to each value, a boolean as 0 or 1. */
export function nearest(values: ArrayLike<Value> | NumberArray, rows: number): Float64Array {
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
