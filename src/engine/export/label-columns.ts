import { blocksAgain } from '@engine/csv/records-again'
import { watchSource } from '@engine/csv/source-guard'
import { lowerBound } from '@engine/dataset/by-row'
import type { CpuAddon, NativeCellColumn, NativeLabelColumnWriter } from '@engine/engines/native'
import type { RowPart } from '@engine/engines/engine'
import type { RowBlock } from '@engine/formats/columnar-rows'
import { Slices } from '@engine/slices'
import type { ByteSink } from './atomic-file'
import { cellColumn, maxBytes } from './column-texts'
import type { CsvForm } from './csv-text'
import type { LabelledData } from './labelled-data'
import { LabelledLines } from './labelled-lines'
import { labelledRows } from './labelled-rows'
import { columnNames, exporting } from './source-rows'

/** Cells that are handed to the addon at a time, and rows of them that a thread takes. */
const defaultBlockCells = 1 << 17
const defaultChunkRows = 1 << 9

/** Bytes of a label and a distance, their separators and the line end; the number is that of `number_text.hpp`. */
const maxNumberBytes = 2 + 11 + 25 + 1

export interface LabelColumnsOptions {
  readonly signal: AbortSignal
  readonly onProgress: (rows: number) => void
  readonly form: CsvForm
  readonly Writer: NonNullable<CpuAddon['LabelColumnWriter']>
  readonly blockCells?: number
  readonly chunkRows?: number
  /** Rows of the file that are read, which are those of the dataset; absent: all. */
  readonly part?: RowPart
}

/**
 * labels.csv of a file that has columns of its own by the addon, the same bytes as cell by cell: numbers go there as they lie in
 * memory, texts in UTF-8. Cost O(cells); memory is that of reading the file, and two blocks.
 * @throws LabError `export.source-changed`, `export.source-missing`, `cancelled`
 */
export async function writeLabelColumns(
  result: LabelledData,
  sink: ByteSink,
  options: LabelColumnsOptions,
): Promise<void> {
  const { dataset } = result
  const guard = await watchSource(dataset, exporting)
  const writer = new ColumnLabels(result, sink, options)
  const { part } = options
  const isFirst = part === undefined || part.first === 0
  if (isFirst)
    await sink.write(new LabelledLines(result, options.form).header(columnNames(dataset, undefined)))
  try {
    for await (const block of blocksAgain(dataset, guard, options.signal, part)) {
      if (block.columns.length < dataset.columns.length) throw await guard.failure('a column is missing')
      await writer.take(block)
    }
  } finally {
    await writer.flushed()
  }
  if (writer.rows !== dataset.rows) throw await guard.failure('the number of rows differs')
  if (part === undefined) await guard.confirm()
  else if (!(await guard.untouched())) throw await guard.failure('the content differs')
}

class ColumnLabels {
  readonly #result: LabelledData
  readonly #sink: ByteSink
  readonly #options: LabelColumnsOptions
  readonly #native: NativeLabelColumnWriter
  readonly #slices: Slices
  readonly #rowsAtATime: number
  /** With the name of a cluster. */
  readonly #maxLabelBytes: number
  /** One is filled while the other goes to the disk. */
  #outs: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)]
  #formatting: Promise<void> = Promise.resolve()
  #writing: Promise<void> = Promise.resolve()
  #written = 0
  /** Rows of the dataset met so far. */
  rows = 0

  constructor(result: LabelledData, sink: ByteSink, options: LabelColumnsOptions) {
    const { form, Writer, blockCells = defaultBlockCells, chunkRows = defaultChunkRows } = options
    const { separator, mark } = form
    this.#result = result
    this.#sink = sink
    this.#options = options
    const rows = labelledRows(result, form)
    this.#maxLabelBytes =
      maxNumberBytes + 1 + Math.max(0, ...(rows.names ?? []).map((name) => Buffer.byteLength(name)))
    this.#native = new Writer(rows, { separator, mark, chunkRows })
    this.#slices = new Slices(options.signal)
    this.#rowsAtATime = Math.max(1, Math.floor(blockCells / result.dataset.columns.length))
  }

  async take({ record, rows, columns: all }: RowBlock): Promise<void> {
    const columns = all
      .slice(0, this.#result.dataset.columns.length)
      .map((cells) => ({ cells, exact: cells.exact() }))
    for (let row = 0; row < rows; row += this.#rowsAtATime) {
      const count = Math.min(this.#rowsAtATime, rows - row)
      const piece = columns.map((column) => cellColumn(column, row, count))
      await this.#formatting
      this.#formatting = this.#format(piece, count, record + row)
      // Whoever waits for it is told.
      this.#formatting.catch(() => undefined)
      await this.#slices.next()
    }
    // The values are those of another block from now on.
    await this.#formatting
  }

  /** Nothing is read any more, nor on its way to the disk. */
  async flushed(): Promise<void> {
    await this.#formatting
    await this.#writing
  }

  async #format(columns: readonly NativeCellColumn[], count: number, record: number): Promise<void> {
    const most = columns.reduce((sum, column) => sum + maxBytes(column, count), this.#maxLabelBytes * count)
    const out = this.#outs[0].length < most ? new Uint8Array(most) : this.#outs[0]
    const written = await this.#native.write(columns, count, record, this.rows, out)
    await this.#writing
    this.#outs = [this.#outs[1], out]
    this.#writing = this.#sink.writeBytes(out.subarray(0, written))
    this.#writing.catch(() => undefined)
    this.rows += count - this.#leftOut(record, record + count)
    this.#written += count
    this.#options.onProgress(this.#written)
  }

  /** Records from `first` up to `last` that are no rows. */
  #leftOut(first: number, last: number): number {
    const { leftOutRecords: leftOut } = this.#result.dataset
    return lowerBound(leftOut, last) - lowerBound(leftOut, first)
  }
}
