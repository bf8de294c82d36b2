import type { ColumnInfo, DatasetSummary, Dialect, FileFacts, ImportReceipt } from '@shared/dataset'
import type { Stretch } from '../csv/native-reader'
import type { RecordForm } from '../csv/table-reader'
import type { HeldPart } from '../engines/engine'
import type { RunProcesses } from '../processes/run-processes'

/** A numeric column with every digit it has in the file. */
export interface NumericColumn {
  /** Rows of the dataset. */
  readonly length: number
  /** What it takes in memory. */
  readonly byteLength: number
  /** The float64 of a cell, units of the file; NaN where it is missing. */
  at(row: number): number
  /** As the CPU addon reads it; absent where the column is computed. */
  blocks?(): ColumnBlocks
  /** The same of one that is computed from codes, a number a code. */
  codeBlocks?(): CodeBlocks
}

/** Rows of a column, 2^14 in each block but the last: `value = values[i] / scale`; a missing cell is -2^31 of whole numbers, else NaN. */
export interface ColumnBlocks {
  readonly values: readonly (Int32Array | Float64Array | Float32Array)[]
  /** One for each block. */
  readonly scales: Float64Array
}

/** Rows of a column of texts, 2^14 in each block but the last: 0 for a missing cell. */
export interface CodeBlocks {
  readonly codes: readonly (Uint8Array | Uint16Array)[]
  /** By the code. */
  readonly values: Float64Array
}

/** A column of texts that repeat, such as classes. */
export interface CategoryColumn {
  /** Rows of the dataset. */
  readonly length: number
  /** What its codes take in memory. */
  readonly byteLength: number
  /** The different texts, without blanks around them, in the order in which they come in the file. */
  readonly values: readonly string[]
  /** Index of the text of a row in `values`; -1 where the cell is missing. */
  at(row: number): number
  /** As the CPU addon reads it. @param valueOf of an index in `values`, or of -1 */
  codeBlocks(valueOf: (index: number) => number): CodeBlocks
}

/** A loaded file. Owned by the engine host; rows keep the order of the file. */
export interface Dataset {
  readonly id: string
  /** Its SHA-256 is there as soon as the file is hashed, see `hashed`. */
  readonly file: FileFacts
  readonly dialect: Dialect
  /** How the file is cut into records, and would be again. */
  readonly form: RecordForm
  readonly receipt: ImportReceipt
  readonly columns: readonly ColumnInfo[]
  readonly rows: number
  /** Where several processes read the file: the rows that the columns have. Absent: all. */
  readonly part?: HeldPart & {
    /** Where their lines lie, in a file of text. */
    readonly stretch?: Stretch
  }
  /** Where each of them read the whole file instead: why, a sentence. */
  readonly whole?: { readonly processes: RunProcesses; readonly because: string }
  /** Fulfilled once `file` has its SHA-256, where that is made behind the reading. */
  readonly hashing?: Promise<void>
  /** Numeric or constant-number columns by column index; undefined for every other column. */
  readonly numeric: readonly (NumericColumn | undefined)[]
  /** Columns of few different texts by column index, undefined for every other; absent where no text was read. */
  readonly categories?: readonly (CategoryColumn | undefined)[]
  /**
   * 1-based record numbers of the file that are no rows of the dataset (too long, too short), ascending.
   * Together with `firstRecord` they give every row its number in the file.
   */
  readonly leftOutRecords: Uint32Array
  /** 1-based record numbers of blank lines among the data, ascending: counted, but no records. */
  readonly blankRecords: Uint32Array
  /** Record number of the first data record: 2 with a header row, 1 without, 4 in the headed format. */
  readonly firstRecord: number
  readonly memoryBytes: number
}

/** How many rows the columns have. */
export function heldRows({ rows, part }: Pick<Dataset, 'rows' | 'part'>): number {
  return part?.count ?? rows
}

/** The same, as soon as its file is hashed: whoever writes something down about it waits for that. @throws LabError `csv.changed`, `cancelled` */
export async function hashed<T extends Pick<Dataset, 'hashing'>>(dataset: T): Promise<T> {
  await dataset.hashing
  return dataset
}

export function summarise(dataset: Dataset): DatasetSummary {
  const { id, file, receipt, columns, rows, memoryBytes } = dataset
  return { id, file, receipt, columns, rows, memoryBytes }
}
