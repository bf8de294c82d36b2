import type { DateOrder, DateUnit } from './dates'

export const columnTypes = ['numeric', 'categorical', 'text', 'constant', 'identifier', 'date'] as const
export type ColumnType = (typeof columnTypes)[number]

/** Types a person may give a column: of dates the order too. */
export const givenTypes = [...columnTypes, 'date-dmy', 'date-mdy'] as const
export type GivenType = (typeof givenTypes)[number]

/** The type that one which is given comes to. */
export function typeGiven(given: GivenType): ColumnType {
  return given === 'date-dmy' || given === 'date-mdy' ? 'date' : given
}

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const
export type Encoding = (typeof encodings)[number]

/** `' '` stands for any run of blanks and tabs. */
export const delimiters = [',', '\t', ';', '|', ' '] as const
export type Delimiter = (typeof delimiters)[number]

export const missingPolicies = ['drop', 'mean', 'median', 'refuse'] as const
export type MissingPolicy = (typeof missingPolicies)[number]

export const scalings = ['none', 'standardise', 'min-max', 'robust', 'unit-length'] as const
export type Scaling = (typeof scalings)[number]

/** What one feature may have of its own: `unit-length` is of whole rows. */
export const columnScalings = [
  'none',
  'standardise',
  'min-max',
  'robust',
] as const satisfies readonly Scaling[]
export type ColumnScaling = (typeof columnScalings)[number]

/** A scaling that one feature has instead of that of all. */
export interface NamedScaling {
  readonly column: string
  readonly scaling: ColumnScaling
}

/** `headed` is the text format `N / n / k` of the project in four modules (spec section 2). */
export const formats = ['delimited', 'headed'] as const

/** Different texts of a column that can become features at most. */
export const maxOneHotValues = 64

/** How the bytes of a file are to be read. */
export interface Dialect {
  readonly format: (typeof formats)[number]
  readonly encoding: Encoding
  readonly delimiter: Delimiter
  /** `''` when the file has no quoting. */
  readonly quote: '"' | "'" | ''
  readonly header: boolean
  readonly decimal: '.' | ','
}

/** Rows of a title at most. */
export const maxTitleRows = 20

/** What a person may set instead of what was detected. `columnTypes` is keyed by column index. */
export interface ImportOverrides {
  readonly format?: Dialect['format']
  readonly encoding?: Encoding
  readonly delimiter?: Delimiter
  readonly quote?: Dialect['quote']
  readonly header?: boolean
  /** Rows of the table above its header, or above its data, that are a title: 0 to `maxTitleRows`. */
  readonly titleRows?: number
  readonly decimal?: Dialect['decimal']
  readonly columnTypes?: Readonly<Record<number, GivenType>>
}

/** A type that a person gave to a column. */
export interface ChosenColumnType {
  readonly index: number
  readonly name: string
  readonly type: GivenType
}

/** One detected property, and why. */
export interface Evidence {
  /** A sentence, e.g. "5 of 5 sampled rows have 5 cells with ','; next best ';' has 1". */
  readonly because: string
  /** Set by the person rather than detected. */
  readonly overridden: boolean
  /** Doubtful detections open the import preview in the window. */
  readonly doubtful: boolean
}

export interface ColumnInfo {
  /** 0-based position in the file. */
  readonly index: number
  /** From the header, or `column 1`, ... Names are made unique with `_1`, `_2`. */
  readonly name: string
  readonly type: ColumnType
  /** Why this type, one sentence. */
  readonly because: string
  /** Cells that are empty, a missing mark, infinite, or not a number in a numeric column. */
  readonly missing: number
  /** Of those, cells that were no number and no missing mark ("Row 12, column age: 'n/x' is not a number"). */
  readonly notNumeric: number
  /** Cells that are no numbers although something stands in them; absent where there is none. */
  readonly odd?: OddCells
  /** Whole numbers that float64 does not hold; absent where there is none. */
  readonly coarse?: CoarseNumbers
  /** Numbers that are not written plainly; absent where there is none. */
  readonly written?: WrittenNumbers
  /** How dates were read as numbers; absent for other columns. */
  readonly date?: DateColumn
  /** In units of the file (dates: see `date`); null unless numeric, dates or a constant number. */
  readonly min: number | null
  readonly max: number | null
  readonly mean: number | null
  /** All values are whole numbers. */
  readonly integer: boolean
  /** Proposed as a feature. */
  readonly proposed: boolean
  /** Different texts, where the text of each row is kept; absent where it is not. */
  readonly categories?: number
}

/** Cells of a column that are neither numbers nor missing marks; infinite ones are among them. */
export interface OddCells {
  readonly count: number
  /** A notable share of the column's cells are numbers or look like some: `1,580.30`, `12 kg`, `inf`. */
  readonly likeNumbers: boolean
  /** The first of them (of those that look like numbers, where `likeNumbers`): its row in the file, and its text. */
  readonly row: number
  readonly cell: string
}

/** Numbers of a column that are no plain ones, `1.580,30 €`, and how they were read. */
export interface WrittenNumbers {
  /** Between thousands ('' for none, a blank for all blanks), before the fraction, before or behind the number. */
  readonly form: {
    readonly group: '' | '.' | ',' | ' ' | "'"
    readonly decimal: '.' | ','
    readonly unit: string
  }
  /** `with points between thousands, in €`. */
  readonly words: string
  /** The first of them: its row in the file, its text, and the number it was read as. */
  readonly row: number
  readonly cell: string
  readonly value: number
}

/** Dates of a column as numbers since 1970-01-01, UTC. */
export interface DateColumn {
  readonly order: DateOrder
  readonly unit: DateUnit
  /** No date tells whether day or month comes first. */
  readonly ambiguous: boolean
  /** Dates that only the other order allows, and that are read in it. */
  readonly otherOrder: number
  /** The first of them: its row in the file, its text, and the number it was read as. */
  readonly row: number
  readonly cell: string
  readonly value: number
}

/** Whole numbers of a column with more digits than float64 holds. */
export interface CoarseNumbers {
  readonly count: number
  /** Numbers beside the first one that differ by less may become the same, units of the file. */
  readonly step: number
  /** The first of them: its row in the file, and its text. */
  readonly row: number
  readonly cell: string
}

export interface FileFacts {
  readonly path: string
  readonly name: string
  readonly bytes: number
  /** Lower-case hexadecimal. Null until the whole file was read. */
  readonly sha256: string | null
  readonly modifiedMs: number
}

/** Files that have columns of their own instead of text. */
export const columnarFormats = ['npy', 'parquet', 'arrow'] as const
export type ColumnarFormat = (typeof columnarFormats)[number]

/** What read a file: the native reader, on all threads, or the text reader, which reads everything. */
export interface ReaderUsed {
  readonly kind: 'native' | 'text'
  /** Why it was not the native one: a sentence. */
  readonly because: string | null
}

/** What was detected, on what evidence, and what was left out: shown on demand, stored in run.json. */
export interface ImportReceipt {
  /** What kind of file it is, where it is no text: then nothing of its dialect can be set. */
  readonly columnar?: ColumnarFormat
  readonly dialect: Dialect
  readonly bom: boolean
  readonly evidence: Readonly<Record<keyof Dialect, Evidence>>
  /** Column types set by hand, in the order of the file. */
  readonly chosenTypes: readonly ChosenColumnType[]
  /** Rows above the header that are a title; absent in old records. */
  readonly titleRows?: { readonly count: number; readonly overridden: boolean }
  /** Records in the file that are data (header, blank lines and headed preamble not counted). */
  readonly records: number
  /** Records kept as rows of the dataset. */
  readonly rows: number
  readonly tooLong: number
  readonly tooShort: number
  readonly blankLines: number
  /** Cells that were infinite or overflow a float64 (`1e400`), counted as missing. */
  readonly infiniteCells: number
  /** Rows with a quote that neither opens nor closes a cell, read as text within their line. */
  readonly doubtfulRows: number
  /** What was read otherwise than the format has it, or is no data; each a sentence with its rows. */
  readonly warnings: readonly string[]
  /** What `warnings` and left-out columns are about, a few words each, beside the counts above; absent in old records. */
  readonly findings?: readonly string[]
  /** Up to 20 sentences about left-out rows and cells, each with row and column. */
  readonly notes: readonly string[]
  /** Headed format: the k of line 3. */
  readonly proposedK: number | null
  /** Absent in previews, of data made in memory, and in old records. */
  readonly reader?: ReaderUsed
  readonly loadMs: number
}

/** Before loading: what would be done with the file (from its first block). */
export interface ImportPreview {
  readonly file: FileFacts
  readonly receipt: ImportReceipt
  readonly columns: readonly ColumnInfo[]
  /** The first 50 rows of cells as they stand in the file, and those of `doubtfulRows` below them. */
  readonly sample: readonly (readonly string[])[]
  /** The numbers of these rows in the file, as messages count them. */
  readonly sampleRows: readonly number[]
  /** Numbers in the file of rows that are left out, or that a sentence of the receipt is about. */
  readonly doubtfulRows: readonly number[]
  readonly doubtful: boolean
}

/** A loaded dataset as the window and the command line know it; the numbers stay in the engine host. */
export interface DatasetSummary {
  readonly id: string
  readonly file: FileFacts
  readonly receipt: ImportReceipt
  readonly columns: readonly ColumnInfo[]
  /** Rows kept. */
  readonly rows: number
  readonly memoryBytes: number
}

export interface DatasetProgress {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly totalBytes: number
}

/** Counts of a numeric column in equal bins over [min, max], the last one closed; units of the file. */
export interface Histogram {
  readonly min: number
  readonly max: number
  readonly counts: readonly number[]
}

/** One row of a dataset, cells by column index. */
export interface DatasetRow {
  /** 0-based row of the dataset. */
  readonly row: number
  /** Its number in the file, as error messages count (the header is row 1). */
  readonly fileRow: number
  /** Text as in the file, the number as it is held, or a date as text; null for a missing cell or one that was not read. */
  readonly cells: readonly (string | number | null)[]
}
