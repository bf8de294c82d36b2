import type { ColumnInfo, DatasetSummary, Dialect, FileFacts, ImportReceipt } from '@shared/dataset'
import type { RecordForm } from '../csv/table-reader'

/** A numeric column as it is held: `file value = offset + values[row] * 2^exponent`; a missing cell is NaN. */
export interface NumericColumn {
  /** (rows) float32, centred on `offset`. */
  readonly values: Float32Array
  /** In units of the file, taken from the first block read. */
  readonly offset: number
  /** 0 but where the numbers would leave the range of float32. */
  readonly exponent: number
}

/** A loaded file. Owned by the engine host; rows keep the order of the file. */
export interface Dataset {
  readonly id: string
  readonly file: FileFacts
  readonly dialect: Dialect
  /** How the file is cut into records, and would be again. */
  readonly form: RecordForm
  readonly receipt: ImportReceipt
  readonly columns: readonly ColumnInfo[]
  readonly rows: number
  /** Numeric or constant-number columns by column index; undefined for every other column. */
  readonly numeric: readonly (NumericColumn | undefined)[]
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

export function summarise(dataset: Dataset): DatasetSummary {
  const { id, file, receipt, columns, rows, memoryBytes } = dataset
  return { id, file, receipt, columns, rows, memoryBytes }
}
