import type { ReadPieces } from './file-hash'

/** Where the numbers of a file lie. */
export interface NativeFloatTableForm {
  /** Its descriptor, and its length. */
  readonly file: number
  readonly bytes: number
  /** Bytes before the first number. */
  readonly offset: number
  readonly rows: number
  readonly columns: number
  /** Columns lie one behind the other, not rows. */
  readonly byColumn: boolean
  /** Rows that are read: all, or a part from the beginning of a block on. */
  readonly first: number
  readonly count: number
}

/** Of a column; NaN is a missing number. */
export interface NativeFloatColumn {
  readonly numbers: number
  readonly min: number
  readonly max: number
  readonly sum: number
  readonly integer: boolean
  readonly countsUp: boolean
  /** Of its numbers, where they count up. */
  readonly first: number
  readonly last: number
  /** What `sum` is made of, in order. */
  readonly blockSums: Float64Array
}

export interface NativeFloatTable {
  /** False where a number is none that is kept as it stands: nothing else holds then. */
  readonly plain: boolean
  readonly cancelled: boolean
  /** The bytes of these numbers. */
  readonly read: ReadPieces
  readonly columns: readonly NativeFloatColumn[]
}

/** Blocks have so many rows, as those of NumberBlocks. */
export const rowsOfFloatBlock = 1 << 14

/** What `progress` of `readFloatTable` holds: whether to stop, and how many blocks were read. By atomic operations. */
export const progressCancelled = 0
export const progressBlocks = 1

/**
 * Reads numbers to `x` (count, columns), on all threads (kernels/reader/float_table.hpp): blocks of rows, in each of them column after column.
 * @param progress (2), see above @throws where the file cannot be read, or ends before
 */
export type ReadFloatTable = (
  form: NativeFloatTableForm,
  x: Float32Array,
  progress: Int32Array,
) => Promise<NativeFloatTable>
