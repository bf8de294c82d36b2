import { isBlank } from '@engine/csv/records'
import { binaryFile } from '@engine/csv/magic'
import { readerFrom, tableReader } from '@engine/csv/reader'
import { watchSource, type SourceGuard } from '@engine/csv/source-guard'
import type { Stretch } from '@engine/csv/native-reader'
import type { TableReader } from '@engine/csv/table-reader'
import type { CpuAddon, NativeLabelWriter } from '@engine/engines/native'
import { Slices } from '@engine/slices'
import { LabError } from '@shared/errors'
import type { ByteSink } from './atomic-file'
import type { CsvForm } from './csv-text'
import type { LabelledData } from './labelled-data'
import { LabelledLines } from './labelled-lines'
import { labelledRows } from './labelled-rows'
import { sourceLines } from './source-lines'
import { columnNames, exporting, RowIndex } from './source-rows'

/** Of the source: hashing one blocks the event loop for a millisecond. */
const defaultBlockBytes = 1 << 20
const defaultChunkBytes = 1 << 17

/** What the reader takes at first where the addon does not understand a line. */
const minSpan = 1 << 12
const maxSpan = 1 << 20

const recordsBetweenLooks = 256

export interface SpliceOptions {
  readonly signal: AbortSignal
  readonly onProgress: (rows: number) => void
  readonly form: CsvForm
  readonly Writer: NonNullable<CpuAddon['LabelWriter']>
  /** Of the source at a time, and of that a thread of the addon. */
  readonly blockBytes?: number
  readonly chunkBytes?: number
  /** Where the lines lie that are read, which are the rows of the dataset; absent: the whole file. */
  readonly stretch?: Stretch
}

/**
 * labels.csv by the addon, the same bytes as cell by cell. A line that it does not understand by itself (a quoted cell that
 * may go on behind it, a lone carriage return) and what hangs together with it is written by the reader.
 * @throws LabError `export.source-changed`, `export.source-missing`, `cancelled`
 */
export async function spliceLabels(
  result: LabelledData,
  sink: ByteSink,
  options: SpliceOptions,
): Promise<void> {
  const { dataset } = result
  const guard = await watchSource(dataset, exporting)
  const splicer = new Splicer(result, sink, options)
  try {
    await spliceAll(splicer, result, guard, options)
  } finally {
    await splicer.flushed()
  }
  if (splicer.rows !== dataset.rows) throw await guard.failure('the number of rows differs')
  if (options.stretch === undefined) await guard.confirm()
  else if (!(await guard.untouched())) throw await guard.failure('the content differs')
}

async function spliceAll(
  splicer: Splicer,
  { dataset }: LabelledData,
  guard: SourceGuard,
  { signal, blockBytes = defaultBlockBytes, stretch }: SpliceOptions,
): Promise<void> {
  const { encoding } = dataset.form.dialect
  const source = stretch ? { stretch } : { hash: guard.hash }
  const blocks = sourceLines(dataset.file.path, { encoding, signal, blockBytes, ...source })
  const read = () => asOfSource(blocks.next(), guard)
  try {
    for (let next = read(); ;) {
      const { value, done } = await next
      if (done === true) break
      // Read and hashed while this one is written.
      next = read()
      next.catch(() => undefined)
      await splicer.take(value)
    }
    await splicer.end()
  } catch (thrown) {
    throw thrown instanceof LabError && thrown.code.startsWith('csv.') ? await guard.failure(thrown) : thrown
  } finally {
    await blocks.return(undefined)
  }
}

/** What fails while a file is read that was read before shows that it is not the same file any more. */
function asOfSource<T>(reading: Promise<T>, guard: SourceGuard): Promise<T> {
  return reading.catch(async (thrown: unknown) => {
    throw await guard.failure(thrown)
  })
}

class Splicer {
  readonly #result: LabelledData
  readonly #sink: ByteSink
  readonly #options: SpliceOptions
  readonly #lines: LabelledLines
  readonly #index: RowIndex
  readonly #native: NativeLabelWriter
  readonly #slices: Slices
  /** What reads the head, and lines that the addon does not understand; null where the addon goes on. */
  #reader: TableReader | null
  /** Number of the next record. */
  #record: number
  /** It was written, here or by another process. */
  #hasHeader: boolean
  #span = minSpan
  #written = 0
  /** One is filled while the other goes to the disk. */
  #outs: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)]
  #writing: Promise<void> = Promise.resolve()

  constructor(result: LabelledData, sink: ByteSink, options: SpliceOptions) {
    const { dataset, points } = result
    this.#result = result
    this.#sink = sink
    this.#options = options
    this.#lines = new LabelledLines(result, options.form)
    this.#index = new RowIndex(dataset, points)
    this.#native = nativeWriter(result, options)
    this.#slices = new Slices(options.signal)
    const { begin, firstRecord } = options.stretch ?? { begin: 0, firstRecord: 0 }
    this.#hasHeader = begin > 0
    this.#reader = begin > 0 ? null : tableReader({ form: dataset.form })
    this.#record = begin > 0 ? firstRecord : dataset.form.leadingLines + 1
  }

  /** Rows of the dataset met so far. */
  get rows(): number {
    return this.#index.rows
  }

  /** @param lines whole ones in UTF-8 */
  async take(lines: Buffer): Promise<void> {
    for (let at = 0; at < lines.length;) {
      if (this.#reader === null) at += await this.#splice(lines.subarray(at))
      if (at === lines.length) break
      const end = spanEnd(lines, at + this.#span)
      await this.#read(lines.toString('utf8', at, end), false)
      at = end
    }
    this.#options.onProgress(this.#written)
  }

  async end(): Promise<void> {
    await this.#read('', true)
    if (!this.#hasHeader) await this.#announce(undefined)
    await this.flushed()
    this.#options.onProgress(this.#written)
  }

  /** Nothing is on its way to the disk. */
  async flushed(): Promise<void> {
    await this.#writing
  }

  /** By the addon. @returns bytes before a line that it does not understand */
  async #splice(lines: Buffer): Promise<number> {
    let out = this.#outs[0]
    let answer = await this.#native.write(lines, this.#record, this.rows, out)
    if (answer.written > out.length) {
      out = new Uint8Array(Math.ceil(answer.written * 1.25))
      answer = await this.#native.write(lines, this.#record, this.rows, out)
    }
    await this.#writing
    this.#outs = [this.#outs[1], out]
    this.#writing = this.#sink.writeBytes(out.subarray(0, answer.written))
    this.#writing.catch(() => undefined)
    this.#record = answer.record
    this.#index.seek(answer.record, answer.row)
    this.#written += answer.records
    if (answer.read < lines.length) this.#beginReader(answer.read)
    return answer.read
  }

  /** @param spliced bytes that the addon took: where they are few, the reader takes more of what follows */
  #beginReader(spliced: number): void {
    this.#span = spliced < this.#span ? Math.min(maxSpan, this.#span * 2) : minSpan
    this.#reader = readerFrom(this.#record, { form: this.#result.dataset.form })
  }

  /** By the reader. */
  async #read(text: string, last: boolean): Promise<void> {
    const { dataset } = this.#result
    if (this.#reader === null) return
    if (text.includes('\0')) throw binaryFile(dataset.file.path, this.#record)
    await this.#writing
    for (const cells of this.#reader.push(text, last)) {
      await this.#readRecord(cells)
      if (this.#record % recordsBetweenLooks === 0) await this.#slices.next()
    }
    if (this.#record < dataset.firstRecord || !this.#reader.isBetweenRecords) return
    this.#reader = null
    if (!this.#hasHeader) await this.#announce(undefined)
  }

  async #readRecord(cells: readonly string[]): Promise<void> {
    const { firstRecord, dialect } = this.#result.dataset
    const record = this.#record++
    if (isBlank(cells)) return
    if (record === firstRecord - 1 && dialect.header) await this.#announce(cells)
    if (record < firstRecord) return
    if (!this.#hasHeader) await this.#announce(undefined)
    await this.#sink.write(this.#lines.row({ cells, point: this.#index.pointOf({ record }) }))
    this.#written++
  }

  async #announce(header: readonly string[] | undefined): Promise<void> {
    this.#hasHeader = true
    await this.#sink.write(this.#lines.header(columnNames(this.#result.dataset, header)))
  }
}

function nativeWriter(result: LabelledData, options: SpliceOptions): NativeLabelWriter {
  const { dataset } = result
  const { dialect } = dataset.form
  const { form, Writer, chunkBytes = defaultChunkBytes } = options
  return new Writer(labelledRows(result, form), {
    delimiter: dialect.format === 'headed' ? ' ' : dialect.delimiter,
    quote: dialect.quote,
    ...{ separator: form.separator, mark: form.mark, chunkBytes },
    width: dataset.columns.length,
    surplus: dataset.receipt.tooLong > 0,
  })
}

/** Behind the first line end at `from` or behind it. */
function spanEnd(lines: Buffer, from: number): number {
  const feed = from < lines.length ? lines.indexOf(10, from) : -1
  return feed < 0 ? lines.length : feed + 1
}
