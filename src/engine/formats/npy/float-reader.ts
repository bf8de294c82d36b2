import type { FileHandle } from 'node:fs/promises'
import type { Inspection } from '@engine/csv/inspect'
import { namesRows } from '@engine/csv/column-type'
import type { NativeOutcome } from '@engine/csv/native-reader'
import { meanOf, type ColumnFacts } from '@engine/csv/column-facts'
import { finishColumn, type DecidedColumn, type GrowingColumn } from '@engine/csv/finished-column'
import type { TableBuilder } from '@engine/csv/table-builder'
import { mergedNumbers } from '@engine/csv/merged-facts'
import { joinedPieces } from '@engine/csv/source-hash'
import { readColumnarSource, withSource } from '@engine/csv/text-source'
import { CategoryBlocks } from '@engine/dataset/category-blocks'
import { FloatColumn } from '@engine/dataset/float-column'
import { loadCpuAddon } from '@engine/engines/native'
import type { ReadPieces } from '@engine/engines/native-addon/file-hash'
import {
  progressBlocks,
  progressCancelled,
  rowsOfFloatBlock,
  type NativeFloatColumn,
  type NativeFloatTable,
  type NativeFloatTableForm,
  type ReadFloatTable,
} from '@engine/engines/native-addon/float-table'
import type { HeldPart } from '@engine/engines/engine'
import { gatheredData } from '@engine/processes/collective'
import type { Room } from '@engine/scratch/room'
import { throwIfAborted } from '@engine/slices'
import { isFloats } from './floats'
import { bytesOf, readNpyHeader, type NpyHeader } from './npy-header'

/** Between two looks at how far the reading is. */
const lookMs = 50

export interface FloatReading {
  readonly signal: AbortSignal
  /** Told often how many bytes were read. */
  readonly onBytes: (total: number) => void
  /** Told in the end which, in the order of the file. */
  readonly onRead: (pieces: ReadPieces) => void
}

/**
 * Reads an array of float32 by the CPU addon, on all threads, into a table that nothing was added to: the same columns as the way
 * through text and blocks makes. @returns why it does not, where that is so
 * @throws LabError those of reading the file, `cancelled`
 */
export async function readFloats(
  { file, columnar }: Inspection,
  table: TableBuilder,
  room: Room,
  reading: FloatReading,
): Promise<NativeOutcome> {
  const read = readerFor(columnar, table)
  if (read === null) return { because: 'It is read by columns.' }
  const isRead = await readColumnarSource(file.path, async (handle, bytes) => {
    const header = await readNpyHeader(handle, file.path)
    const rows = { first: 0, count: header.rows }
    const found = await readRows(read, handle, bytes, header, rows, { room, table, reading })
    if (found === null) return null
    take(table, header, found.facts.columns, found.x)
    reading.onRead(found.facts.read)
    return bytes
  })
  return {
    because: isRead
      ? null
      : 'Some of its numbers are none that are kept as they stand, or it could not be read at once.',
  }
}

/**
 * The same of rows that this process reads, of a table that several have together: it tells of all rows, its columns hold these.
 * @returns whether all could; else the table is of no use any more
 * @throws LabError as `readFloats`
 */
export async function readFloatsInParts(
  { file, columnar }: Inspection,
  table: TableBuilder,
  room: Room,
  { first, count, processes }: HeldPart,
  reading: FloatReading,
): Promise<boolean> {
  const read = readerFor(columnar, table)
  // All know the same.
  if (read === null) return false
  return withSource(file.path, async (handle) => {
    const header = await readNpyHeader(handle, file.path)
    const found = await readRows(read, handle, file.bytes, header, { first, count }, { room, table, reading })
    const all = await gatheredData(processes, found?.facts ?? null)
    const parts = all.filter((facts) => facts !== null)
    if (found === null || parts.length < all.length) return false
    const merged = found.facts.columns.map((_, j) => mergedColumn(parts.map(({ columns }) => columns[j])))
    take(table, header, merged, found.x)
    reading.onRead(joinedPieces(parts.map((facts) => facts.read)))
    return true
  })
}

function mergedColumn(parts: readonly NativeFloatColumn[]): NativeFloatColumn {
  const none = { unique: false, rest: new Float64Array() }
  const numbers = parts.reduce((sum, part) => sum + part.numbers, 0)
  return { ...mergedNumbers(parts.map((part) => ({ ...part, ...none }))), numbers }
}

/** Null where cells are more than numbers as they stand. */
function readerFor(columnar: Inspection['columnar'], table: TableBuilder): ReadFloatTable | null {
  const isWanted = columnar?.format === 'npy' && isPlain(table)
  return isWanted ? (loadCpuAddon().addon?.readFloatTable ?? null) : null
}

/** No cell is looked at by itself. */
function isPlain({ builders }: TableBuilder): boolean {
  return builders.every(
    ({ decided, written, name }) => decided.keepsNumbers && written === null && !namesRows(name),
  )
}

interface FloatTarget {
  readonly room: Room
  readonly table: TableBuilder
  readonly reading: FloatReading
}

type Rows = Pick<NativeFloatTableForm, 'first' | 'count'>

/** Null for numbers that are not kept as they stand, or where it failed: that shows itself, in a sentence, where blocks are read. */
async function readRows(
  read: ReadFloatTable,
  { fd }: FileHandle,
  bytes: number,
  header: NpyHeader,
  part: Rows,
  target: FloatTarget,
): Promise<{ readonly facts: NativeFloatTable; readonly x: Float32Array } | null> {
  if (!isFloats(header)) return null
  const { offset, rows, columns, fortranOrder: byColumn } = header
  const found = await readAll(read, { file: fd, bytes, offset, rows, columns, byColumn, ...part }, target)
  throwIfAborted(target.reading.signal)
  return found?.facts.plain === true ? found : null
}

async function readAll(
  read: ReadFloatTable,
  form: NativeFloatTableForm,
  { room, table, reading: { signal, onBytes } }: FloatTarget,
): Promise<{ readonly facts: NativeFloatTable; readonly x: Float32Array } | null> {
  const x = room.coordinates('float32', form.count * form.columns)
  if (!(x instanceof Float32Array)) return null
  const progress = new Int32Array(2)
  const bytesOfBlock = rowsOfFloatBlock * form.columns * bytesOf('f4')
  const report = () => {
    const blocks = Atomics.load(progress, progressBlocks)
    table.rows = Math.min(form.count, blocks * rowsOfFloatBlock)
    onBytes(Math.min(form.bytes, form.offset + blocks * bytesOfBlock))
  }
  const looking = setInterval(report, lookMs)
  const cancel = () => Atomics.store(progress, progressCancelled, 1)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    if (signal.aborted) cancel()
    const facts = await read(form, x, progress).catch(() => null)
    report()
    return facts && { facts, x }
  } finally {
    signal.removeEventListener('abort', cancel)
    clearInterval(looking)
  }
}

function take(
  table: TableBuilder,
  { rows, columns }: NpyHeader,
  found: readonly NativeFloatColumn[],
  x: Float32Array,
): void {
  const read = table.builders.map(
    ({ decided }, index) => new ReadColumn(decided, rows, found[index], new FloatColumn(x, columns, index)),
  )
  table.readElsewhere({ columns: read, rows, records: rows, infiniteCells: 0 })
}

/** A column once all of it was read. */
class ReadColumn implements GrowingColumn {
  readonly missedNumbers = false
  readonly #decided: DecidedColumn
  readonly #rows: number
  readonly #found: NativeFloatColumn
  readonly #values: FloatColumn

  constructor(decided: DecidedColumn, rows: number, found: NativeFloatColumn, values: FloatColumn) {
    this.#decided = decided
    this.#rows = rows
    this.#found = found
    this.#values = values
  }

  get index(): number {
    return this.#decided.index
  }

  finish() {
    const finish = () => this.#values
    const { forced, room } = this.#decided
    return finishColumn(this.#facts(), { finish }, new CategoryBlocks(room), forced)
  }

  #facts(): ColumnFacts {
    const { numbers, min, max, integer, countsUp } = this.#found
    return {
      ...{ index: this.index, name: this.#decided.name, rows: this.#rows },
      ...{ numbers, missing: this.#rows - numbers, infinite: 0, notNumeric: 0 },
      ...{ min, max, mean: meanOf(this.#found), integer, countsUp, unique: false },
      ...{ distinct: 0, manyDistinct: false },
      ...{ odd: undefined, coarse: undefined, written: undefined, date: undefined },
    }
  }
}
