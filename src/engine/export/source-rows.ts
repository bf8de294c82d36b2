import type { CsvRecord } from '@engine/csv/records'
import { recordsAgain } from '@engine/csv/records-again'
import { watchSource, type SourceUse } from '@engine/csv/source-guard'
import { lowerBound } from '@engine/dataset/by-row'
import type { Dataset } from '@engine/dataset/dataset'
import type { PreparedPoints } from '@engine/dataset/prepared'

export const exporting: SourceUse = {
  area: 'export',
  whenChanged: 'open it again, cluster it and export then',
  whenMissing: 'and its columns are part of the export: put it back, then export again',
}

/** A record of the source file and what became of it. */
export interface SourceRow {
  /** Cells as they stand in the file. */
  readonly cells: readonly string[]
  /** Its point, or -1: left out by the missing policy, or too long or too short to be a row of the dataset. */
  readonly point: number
}

export interface SourceVisitor {
  /** Called once, before any batch: the header row of the file, or `column 1`, ... when it has none. */
  header(names: readonly string[]): Promise<void>
  /** Data records in the order of the file; blank lines are no records. */
  batch(rows: readonly SourceRow[]): Promise<void>
}

/**
 * Reads the source of a dataset a second time, so that its cells can be written unchanged; memory is bounded by
 * a batch. The file must be the one that was loaded: size and SHA-256 are compared, and the number of rows.
 * @throws LabError `export.source-changed`, `export.source-missing`, `cancelled`
 */
export async function visitSource(
  dataset: Dataset,
  points: Pick<PreparedPoints, 'rows'>,
  visitor: SourceVisitor,
  signal: AbortSignal,
): Promise<void> {
  const guard = await watchSource(dataset, exporting)
  const rows = await visitRecords(dataset, points, visitor, recordsAgain(dataset, guard, signal))
  if (rows !== dataset.rows) throw await guard.failure('the number of rows differs')
  await guard.confirm()
}

/** Answers the number of rows of the dataset that were met. */
async function visitRecords(
  dataset: Dataset,
  points: Pick<PreparedPoints, 'rows'>,
  visitor: SourceVisitor,
  batches: AsyncIterable<readonly CsvRecord[]>,
): Promise<number> {
  const rowIndex = new RowIndex(dataset, points)
  let names: readonly string[] | null = null
  for await (const records of batches) {
    const data = records.filter((record) => record.record >= dataset.firstRecord)
    // A title may come in a batch before that of a long header.
    if (records[records.length - 1].record < dataset.firstRecord - 1) continue
    names ??= await announce(dataset, records, visitor)
    await visitor.batch(data.map((record) => ({ cells: record.cells, point: rowIndex.pointOf(record) })))
  }
  if (names === null) await announce(dataset, [], visitor)
  return rowIndex.rows
}

async function announce(
  dataset: Dataset,
  records: readonly CsvRecord[],
  visitor: SourceVisitor,
): Promise<readonly string[]> {
  const header = dataset.dialect.header
    ? records.find((record) => record.record === dataset.firstRecord - 1)
    : undefined
  const names = columnNames(dataset, header?.cells)
  await visitor.header(names)
  return names
}

/** The header row of the file, or the names of columns where it has none. */
export function columnNames(dataset: Dataset, header: readonly string[] | undefined): readonly string[] {
  return dataset.columns.map((column) => header?.[column.index] ?? column.name)
}

/** Walks records, rows and points side by side; all three keep the order of the file. */
export class RowIndex {
  readonly #leftOut: Uint32Array
  readonly #pointRows: Uint32Array | null
  #nextLeftOut = 0
  #nextPoint = 0
  /** Rows of the dataset met so far. */
  rows = 0

  constructor(dataset: Dataset, points: Pick<PreparedPoints, 'rows'>) {
    this.#leftOut = dataset.leftOutRecords
    this.#pointRows = points.rows
  }

  /** Goes on from a record that is the next row of the dataset, unless it is left out. */
  seek(record: number, row: number): void {
    this.rows = row
    this.#nextLeftOut = lowerBound(this.#leftOut, record)
    if (this.#pointRows !== null) this.#nextPoint = lowerBound(this.#pointRows, row)
  }

  pointOf({ record }: Pick<CsvRecord, 'record'>): number {
    if (this.#leftOut[this.#nextLeftOut] === record) {
      this.#nextLeftOut++
      return -1
    }
    const row = this.rows++
    if (this.#pointRows === null) return row
    return this.#pointRows[this.#nextPoint] === row ? this.#nextPoint++ : -1
  }
}
