import { readRecords, type CsvRecord } from '@engine/csv/records'
import type { Dataset } from '@engine/dataset/dataset'
import type { PreparedPoints } from '@engine/dataset/prepared'
import { sourceFailure, watchSource, type SourceGuard } from './source-guard'

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
  points: PreparedPoints,
  visitor: SourceVisitor,
  signal: AbortSignal,
): Promise<void> {
  const guard = await watchSource(dataset.file)
  await visitRecords(dataset, points, visitor, guarded(dataset, guard, signal))
  await guard.confirm()
}

async function visitRecords(
  dataset: Dataset,
  points: PreparedPoints,
  visitor: SourceVisitor,
  batches: AsyncIterable<readonly CsvRecord[]>,
): Promise<void> {
  const places = new Places(dataset, points)
  let names: readonly string[] | null = null
  for await (const records of batches) {
    const data = records.filter((record) => record.record >= dataset.firstRecord)
    names ??= await announce(dataset, records, visitor)
    await visitor.batch(data.map((record) => ({ cells: record.cells, point: places.pointOf(record) })))
  }
  if (names === null) await announce(dataset, [], visitor)
  if (places.rows !== dataset.rows) throw await sourceFailure(dataset.file, 'the number of rows differs')
}

/** What fails while a file is read that was read before: it is not the same file any more. */
async function* guarded(
  dataset: Dataset,
  { hash }: SourceGuard,
  signal: AbortSignal,
): AsyncGenerator<readonly CsvRecord[]> {
  try {
    yield* readRecords(dataset.file.path, dataset.dialect, signal, { hash })
  } catch (thrown) {
    throw await sourceFailure(dataset.file, thrown)
  }
}

async function announce(
  dataset: Dataset,
  records: readonly CsvRecord[],
  visitor: SourceVisitor,
): Promise<readonly string[]> {
  const header = dataset.dialect.header
    ? records.findLast((record) => record.record < dataset.firstRecord)
    : undefined
  const names = dataset.columns.map((column) => header?.cells[column.index] ?? column.name)
  await visitor.header(names)
  return names
}

/** Walks records, rows and points side by side; all three keep the order of the file. */
class Places {
  readonly #leftOut: Uint32Array
  readonly #pointRows: Uint32Array | null
  #nextLeftOut = 0
  #nextPoint = 0
  /** Rows of the dataset met so far. */
  rows = 0

  constructor(dataset: Dataset, points: PreparedPoints) {
    this.#leftOut = dataset.leftOutRecords
    this.#pointRows = points.rows
  }

  pointOf({ record }: CsvRecord): number {
    if (this.#leftOut[this.#nextLeftOut] === record) {
      this.#nextLeftOut++
      return -1
    }
    const row = this.rows++
    if (this.#pointRows === null) return row
    return this.#pointRows[this.#nextPoint] === row ? this.#nextPoint++ : -1
  }
}
