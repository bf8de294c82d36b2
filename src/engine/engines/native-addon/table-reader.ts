import type { ReadPieces } from './file-hash'

/** How a file is cut into cells, and what is kept of each column. */
export interface NativeTableForm {
  /** Descriptor of a file that stays open; it is read from its beginning, wherever others have got to. */
  readonly file: number
  /** One character of ASCII each; `quote` may be empty. */
  readonly delimiter: string
  readonly quote: string
  readonly decimal: string
  /** (columns) 1 where numbers are kept; of other columns texts are counted. */
  readonly kept: Uint8Array
  /** (columns) 1 where it is asked whether a number is there twice. */
  readonly watched: Uint8Array
  /** Lines at the beginning that are no records. */
  readonly leadingLines: number
  /** Number of the first record that is data. */
  readonly firstRecord: number
  /** What one thread takes at a time. */
  readonly blockBytes: number
  readonly maxThreads: number
  /**
   * Where the lines begin that are read, and end; absent: at the ends of the file. From anywhere but the beginning they are data
   * alone, the first of them `firstRecord`.
   */
  readonly begin?: number
  readonly end?: number
}

/** What one stretch of a file brought. Records are numbered from 1 as in the whole file. */
export interface NativeBatch {
  /** Why this text is not read here; empty where it is. */
  readonly refused: NativeRefusal | ''
  readonly refusedRecord: number
  readonly cancelled: boolean
  /** Bytes that are new, and as which pieces they were read. */
  readonly length: number
  readonly read: ReadPieces
  /** Nothing follows. */
  readonly last: boolean
  /** So far. */
  readonly rows: number
  /** Of all full blocks. */
  readonly pieces: readonly ArrayBuffer[]
  /** (blocks, 5) column, scale (0 for float64), piece, offset in that and length there. */
  readonly blocks: Float64Array
  /** Of columns of texts that are not too many: two bytes a row, 0 for none, else a text's position in `texts` plus 1. */
  readonly codeBytes: ArrayBuffer
  /** (columns, 3) column, offset in `codeBytes`, rows. */
  readonly codes: Float64Array
  /** (cells, 5) record, column, kind (`oddKinds`), offset in `texts` and length there; in the order of the file. */
  readonly odd: Float64Array
  /** UTF-8. */
  readonly texts: Buffer
  /** (records, 2) record that does not have the table's cells, and how many it has. */
  readonly ragged: Float64Array
  /** Records that are blank lines. */
  readonly blank: Float64Array
}

export type NativeRefusal = 'nul' | 'damaged' | 'doubtful quote' | 'cell of several lines' | 'long line'

/** By number. Of a column the first thousand that are infinite or other, and the first that is coarse. */
export const oddKinds = ['infinite', 'other', 'coarse'] as const

/** What is known of a column over all rows. */
export interface NativeColumnFacts {
  readonly numbers: number
  readonly notNumeric: number
  readonly infinite: number
  readonly coarse: number
  readonly distinct: number
  readonly manyDistinct: boolean
  /** Where its numbers are kept. */
  readonly kept?: NativeNumberFacts
  /** Where they are not too many: the different texts that are no numbers, or of columns of texts all, in the order in which they came. */
  readonly texts?: readonly string[]
}

export interface NativeNumberFacts {
  readonly min: number
  readonly max: number
  readonly sum: number
  readonly integer: boolean
  readonly countsUp: boolean
  readonly unique: boolean
  /** Of its numbers, where `countsUp`. */
  readonly first: number
  readonly last: number
  /** Of each block of 2^14 rows, the last one shorter: what `sum` is made of, in order. */
  readonly blockSums: Float64Array
  /** Values of which no block is full; NaN where a cell is missing. */
  readonly rest: Float64Array
}

export interface NativeTableFacts {
  readonly rows: number
  /** Rows, and records that do not have the table's cells. */
  readonly records: number
  /** (3) line feeds, CRLF pairs, carriage returns. */
  readonly lineEnds: Float64Array
  readonly columns: readonly NativeColumnFacts[]
}

/** Reads a file as a table, on all threads (kernels/reader). One call at a time; `cancel` at any moment. */
export interface NativeTableReader {
  /** Reads on. @param buffer what it works in; may not change until the answer is there */
  next(buffer: Buffer): Promise<NativeBatch>
  facts(): NativeTableFacts
  cancel(): void
}

export type NativeTableReaderClass = new (form: NativeTableForm) => NativeTableReader
