import type { ColumnarFormat, Dialect } from '@shared/dataset'

/**
 * Turns decoded text into records, block by block; its grammar is written down in README.md. The seam a faster
 * reader can join: it knows nothing of files, encodings or types.
 */
export interface TableReader {
  /**
   * Records that are complete with this text, in order; blank lines come as `['']`. What is incomplete waits
   * for the next call; `last` ends the text. How the text is cut into calls changes nothing.
   * @param damaged places in this text of bytes that are not valid in the encoding, ascending
   */
  push(text: string, last: boolean, damaged?: readonly number[]): readonly (readonly string[])[]
  /** Line ends met so far outside of quoted cells. */
  readonly lineEnds: Readonly<LineEnds>
  /** 1-based number of the record that the next character belongs to. */
  readonly record: number
  /** Nothing of what was pushed waits for more: the next character begins a record. */
  readonly isBetweenRecords: boolean
}

/** How often each kind of line end was met. */
export interface LineEnds {
  lf: number
  crlf: number
  cr: number
}

/**
 * How a record's quotes are doubtful. `stray`: a quote in the middle of a cell. `unclosed`: a quote that is
 * opened and not closed in its row. `long`: a quoted cell of very many lines, or of some that look like rows.
 * `blanks`: blanks between a quote and the delimiter.
 */
export const quoteDoubts = ['stray', 'unclosed', 'long', 'blanks'] as const
export type QuoteDoubt = (typeof quoteDoubts)[number]

/** What the rows of the table look like, where the file has shown it: it decides about cells of several lines. */
export interface RowShape {
  /** Cells of a row. */
  readonly width: number
  /** Indices of columns that hold numbers. */
  readonly numeric: readonly number[]
  /** Records before this one are titles and the header: words, where rows have numbers. */
  readonly firstRecord: number
}

/** All that it takes to cut a file into the same records again. */
export interface RecordForm {
  /** It has columns of its own, and no text. */
  readonly columnar?: ColumnarFormat
  readonly dialect: Dialect
  /** Lines above the table that are no records: `sep=;`, comments. */
  readonly leadingLines: number
  /** Null where nothing is known of the rows yet. */
  readonly shape: RowShape | null
}

export interface ReaderOptions {
  readonly form: RecordForm
  /** Told the number of a record whose quotes are doubtful, once a kind. */
  readonly onDoubt?: (doubt: QuoteDoubt, record: number) => void
  /** Told the number of a record that is damaged, once a place. */
  readonly onDamage?: (record: number) => void
}
