import type { FileHandle } from 'node:fs/promises'
import { packingOf } from '../formats/packing'
import { throwIfAborted } from '../slices'
import { loadCpuAddon, type CpuAddon } from '../engines/native'
import type { ReadPieces } from '../engines/native-addon/file-hash'
import type { NativeBatch, NativeRefusal, NativeTableReader } from '../engines/native-addon/table-reader'
import { DateReader } from './date-reader'
import { encodingNames } from './encoding'
import { grouped } from './import-notes'
import type { Inspection } from './inspect'
import { NativeTable } from './native-table'
import type { TableBuilder } from './table-builder'
import { readWhole, withSource } from './text-source'

const defaultBlockBytes = 1 << 18

/** Blocks enough for all threads, and no more memory than need be. */
const minBatchBytes = 4 << 20
const maxBatchBytes = 32 << 20
const blocksOfThread = 4

/** One is being read, one waits for it, so that the addon never does; it fills the same buffer again and again. */
const batchesAhead = 2

/** What the addon wants beside the bytes of a file. */
const marginBytes = 1 << 12

/** How a file is cut. */
export interface NativeBlocks {
  /** What one thread takes at a time. */
  readonly blockBytes: number
  /** What is read, and then told about, at a time. */
  readonly batchBytes: number
}

export interface NativeReading extends Partial<NativeBlocks> {
  readonly signal: AbortSignal
  /** Told often how many bytes were read. */
  readonly onBytes: (total: number) => void
  /** Told which bytes, in their order. */
  readonly onRead: (pieces: ReadPieces) => void
}

/**
 * Reads a whole file by the CPU addon, on all threads, into a table that nothing was added to.
 * @throws LabError those of reading the file, `cancelled`
 */
export async function readNatively(
  inspection: Inspection,
  table: TableBuilder,
  reading: NativeReading,
): Promise<NativeOutcome> {
  const { path } = inspection.file
  return byAddon<NativeOutcome>(inspection, table, async (addon, handle) => {
    const run = new NativeRun(addon, inspection, new NativeTable(table), reading)
    await readWhole(path, handle, (bytes) => run.read(handle.fd, bytes))
    return { because: run.refusal }
  })
}

/** What `read` makes of a file of text, if the CPU addon can read it into a table. @throws LabError */
export async function byAddon<Outcome>(
  inspection: Inspection,
  table: TableBuilder,
  read: (addon: CpuAddon, handle: FileHandle) => Promise<Outcome>,
): Promise<Outcome | { readonly because: string }> {
  const { addon, reason } = loadCpuAddon()
  if (addon?.TableReader === undefined) return { because: reason ?? 'The CPU engine was built without it.' }
  const unfit = whyUnfit(inspection, table)
  if (unfit !== null) return { because: unfit }
  return withSource(inspection.file.path, async (handle) => {
    const isPacked = (await packingOf(handle)) !== null
    return isPacked ? { because: 'The file is compressed.' } : read(addon, handle)
  })
}

/** Why a file is not read so, a sentence: then the table holds a part of it, and is of no use any more. Null: it was. */
export interface NativeOutcome {
  readonly because: string | null
}

/** What is known before the file is read. */
function whyUnfit({ dialect }: Inspection, table: TableBuilder): string | null {
  const { format, encoding, delimiter, decimal } = dialect
  if (encoding !== 'utf-8') return `The file is in ${encodingNames[encoding]}.`
  if (format === 'headed') return 'The file is in the headed format.'
  if (delimiter === ' ') return 'Cells are separated by blanks.'
  return delimiter === decimal ? 'Delimiter and decimal mark are the same.' : unfitColumn(table)
}

/** A column that is more than numbers or texts as they stand; null where there is none. */
export function unfitColumn({ builders }: TableBuilder): string | null {
  const unfit = builders.find(({ written }) => written !== null)
  if (unfit === undefined) return null
  const what = unfit.written instanceof DateReader ? 'dates' : 'numbers with units or groups'
  return `Column ${unfit.name} has ${what}.`
}

const refusals: Readonly<Record<NativeRefusal, string>> = {
  nul: 'has a NUL character',
  damaged: 'has bytes that are not valid UTF-8',
  'doubtful quote': 'has a quote within a cell, or blanks beside a quote',
  'cell of several lines': 'has a quoted cell of several lines',
  'long line': 'is too long a line',
}

/** Takes what is read. */
export type NativeSink = Pick<NativeTable, 'form' | 'take' | 'end'>

/** Lines of a file; see NativeTableForm. */
export interface Stretch {
  readonly begin: number
  readonly end: number
  readonly firstRecord: number
}

/** One file, or a stretch of it, read once. */
export class NativeRun {
  /** Why the file is not read to its end. */
  refusal: string | null = null
  readonly #addon: CpuAddon
  readonly #inspection: Inspection
  readonly #table: NativeSink
  readonly #reading: NativeReading
  /** Batches that are being read, or wait for it; null where that failed. */
  readonly #ahead: Promise<NativeBatch | null>[] = []

  constructor(addon: CpuAddon, inspection: Inspection, table: NativeSink, reading: NativeReading) {
    this.#addon = addon
    this.#inspection = inspection
    this.#table = table
    this.#reading = reading
  }

  /** @returns how many bytes were read; null where the file is refused */
  async read(file: number, bytes: number, stretch?: Stretch): Promise<number | null> {
    const { signal } = this.#reading
    const reader = this.#open(file, bytes, stretch)
    const cancel = () => reader.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const total = await this.#readAll(reader, this.#batchBytes(bytes))
      if (total === null) return null
      await this.#idle()
      this.#table.end(reader.facts())
      return total
    } finally {
      signal.removeEventListener('abort', cancel)
      // The file stays open as long as something reads it.
      reader.cancel()
      await this.#idle()
    }
  }

  async #idle(): Promise<void> {
    await Promise.all(this.#ahead)
  }

  #open(file: number, bytes: number, stretch?: Stretch): NativeTableReader {
    const { TableReader } = this.#addon
    if (TableReader === undefined) throw new Error('The addon has no reader.')
    const { dialect, form, firstRecord } = this.#inspection
    return new TableReader({
      ...{ file, delimiter: dialect.delimiter, quote: dialect.quote, decimal: dialect.decimal },
      ...this.#table.form,
      ...{ leadingLines: form.leadingLines, firstRecord, blockBytes: this.#blockBytes },
      maxThreads: Math.max(1, Math.ceil(bytes / this.#blockBytes)),
      ...stretch,
    })
  }

  get #blockBytes(): number {
    return this.#reading.blockBytes ?? defaultBlockBytes
  }

  #batchBytes(bytes: number): number {
    const { batchBytes } = this.#reading
    if (batchBytes !== undefined) return batchBytes
    const ofThreads = this.#addon.versions().threads * blocksOfThread * this.#blockBytes
    return Math.min(bytes + marginBytes, maxBatchBytes, Math.max(minBatchBytes, ofThreads))
  }

  /** While the addon reads on, what it read before is handed over. */
  async #readAll(reader: NativeTableReader, batchBytes: number): Promise<number | null> {
    const { signal, onBytes, onRead } = this.#reading
    const buffer = Buffer.allocUnsafeSlow(batchBytes)
    const begin = () => this.#ahead.push(reader.next(buffer).catch(() => null))
    while (this.#ahead.length < batchesAhead) begin()
    for (let total = 0; ;) {
      const batch = await this.#ahead[0]
      this.#ahead.shift()
      throwIfAborted(signal)
      // What fails here shows itself, in a sentence, where the file is read as text.
      if (batch === null) return this.#refuse('It could not be read at once.')
      if (batch.refused !== '') {
        return this.#refuse(`Row ${grouped(batch.refusedRecord)} ${refusals[batch.refused]}.`)
      }
      if (!batch.last) begin()
      onRead(batch.read)
      total += batch.length
      this.#table.take(batch)
      onBytes(total)
      if (batch.last) return total
    }
  }

  #refuse(sentence: string): null {
    this.refusal = sentence
    return null
  }
}
