import { open, type FileHandle } from 'node:fs/promises'
import { cancelled, LabError } from '@shared/errors'
import { readRaw, sourceFacts } from '../csv/text-source'
import { watchSource, type SourceGuard, type SourceUse } from '../csv/source-guard'
import type { Dataset } from '../dataset/dataset'
import { packingOf } from '../formats/packing'
import { unpackedCopy } from './unpacked-copy'
import { Slices, throwIfAborted } from '../slices'
import { ColumnarCells } from './columnar-cells'
import { heldCells } from './held-cells'
import { TextCells } from './text-cells'

/** Columns of the file, by index. */
export interface ColumnRange {
  readonly first: number
  /** One past the last. */
  readonly end: number
}

/** As they stand in the file; null where the record has no such cell. */
export type Cells = readonly (string | null)[]

const showingCells: SourceUse = {
  area: 'dataset',
  whenChanged: 'open it again to see its cells',
  whenMissing: 'and its cells are read from there: put it back, or open another file',
}

/** Reads from a file that is open. */
type Reader = (rows: readonly number[], columns: ColumnRange, slices: Slices) => Promise<(Cells | null)[]>

interface OpenSource {
  readonly handle: FileHandle
  readonly read: Reader
}

/**
 * Cells of any rows of a dataset as they stand in its file, without reading what stands before them again. What is opened for it
 * is closed when the dataset is.
 */
export class RowCells {
  readonly #dataset: Dataset
  readonly #closed: AbortSignal
  #opened: Promise<OpenSource> | null = null
  /** Time stamp of a file that is known to have the bytes that were loaded. */
  #knownMs: number

  constructor(dataset: Dataset, closed: AbortSignal) {
    this.#dataset = dataset
    this.#closed = closed
    this.#knownMs = dataset.file.modifiedMs
  }

  /**
   * @returns the cells of each row, in the order asked for
   * @throws LabError `dataset.source-changed`, `dataset.source-missing`, `cancelled`
   */
  async of(rows: readonly number[], columns: ColumnRange, signal: AbortSignal): Promise<Cells[]> {
    const slices = new Slices(signal)
    if (this.#dataset.file.path === '') return heldCells(this.#dataset, rows, columns, slices)
    const guard = await watchSource(this.#dataset, showingCells)
    try {
      await this.#requireSame(guard, signal)
      const { read } = await this.#source(signal)
      const found = await read(rows, columns, slices)
      throwIfAborted(signal)
      const missing = found.indexOf(null)
      if (missing >= 0) throw await guard.failure(`there is no row ${rows[missing] + 1}`)
      return found.filter((cells) => cells !== null)
    } catch (thrown) {
      // What is closed with the dataset cannot be read any more.
      if (signal.aborted || this.#closed.aborted) throw cancelled()
      if (thrown instanceof LabError) throw thrown
      throw await guard.failure(thrown instanceof RangeError ? thrown.message : thrown)
    }
  }

  /** Another time stamp with the same bytes is no change. */
  async #requireSame(guard: SourceGuard, signal: AbortSignal): Promise<void> {
    const { path } = this.#dataset.file
    const { modifiedMs } = await sourceFacts(path)
    if (modifiedMs === this.#knownMs) return
    for await (const bytes of readRaw(path, { signal, hash: guard.hash }, asItIs)) void bytes
    await guard.confirm()
    this.#knownMs = modifiedMs
  }

  /** Opened once; a failure is tried again the next time. */
  #source(signal: AbortSignal): Promise<OpenSource> {
    this.#opened ??= this.#open(signal).catch((thrown: unknown) => {
      this.#opened = null
      throw thrown
    })
    return this.#opened
  }

  async #open(signal: AbortSignal): Promise<OpenSource> {
    const source = await this.#openedFile(signal)
    const close = () => void source.handle.close().catch(() => undefined)
    if (this.#closed.aborted) close()
    else this.#closed.addEventListener('abort', close, { once: true })
    return source
  }

  async #openedFile(signal: AbortSignal): Promise<OpenSource> {
    const dataset = this.#dataset
    const { path } = dataset.file
    const handle = await open(path, 'r')
    const { columnar } = dataset.form
    if (columnar !== undefined) {
      const cells = await ColumnarCells.open(dataset, columnar, handle)
      return { handle, read: (rows, columns, slices) => cells.of(rows, columns, slices) }
    }
    const isPacked = (await packingOf(handle)) !== null
    if (isPacked) await handle.close()
    const text = isPacked ? await unpackedCopy(path, signal) : handle
    const cells = new TextCells(dataset, (await text.stat()).size)
    return { handle: text, read: (rows, columns, slices) => cells.of(text, rows, columns, slices) }
  }
}

async function* asItIs(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* raw
}
