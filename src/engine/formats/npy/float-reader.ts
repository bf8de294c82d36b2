import type { Inspection } from '@engine/csv/inspect'
import { namesRows } from '@engine/csv/column-type'
import type { NativeOutcome } from '@engine/csv/native-reader'
import { meanOf, type ColumnFacts } from '@engine/csv/column-facts'
import { finishColumn, type DecidedColumn, type GrowingColumn } from '@engine/csv/finished-column'
import type { TableBuilder } from '@engine/csv/table-builder'
import { readColumnarSource } from '@engine/csv/text-source'
import { CategoryBlocks } from '@engine/dataset/category-blocks'
import { FloatColumn } from '@engine/dataset/float-column'
import { loadCpuAddon } from '@engine/engines/native'
import {
  progressBlocks,
  progressCancelled,
  rowsOfFloatBlock,
  type NativeFloatColumn,
  type NativeFloatTable,
  type ReadFloatTable,
} from '@engine/engines/native-addon/float-table'
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
  const read = loadCpuAddon().addon?.readFloatTable
  const unfit = columnar?.format !== 'npy' || read === undefined ? 'It is read by columns.' : whyUnfit(table)
  if (unfit !== null || read === undefined) return { because: unfit ?? '' }
  let outcome: NativeOutcome = { because: 'Its numbers are none of float32.' }
  await readColumnarSource(file.path, async (handle, bytes) => {
    const header = await readNpyHeader(handle, file.path)
    if (!isFloats(header)) return null
    const form = { file: handle.fd, bytes, ...formOf(header) }
    const found = await readAll(read, form, room, table, reading)
    throwIfAborted(reading.signal)
    if (found === null || !found.facts.plain || found.facts.sha256 === '') {
      outcome = { because: 'Some of its numbers are infinite or too large, or it could not be read at once.' }
      return null
    }
    take(table, header, found.facts, found.x)
    outcome = { sha256: found.facts.sha256, because: null }
    return bytes
  })
  return outcome
}

/** Cells that are more than numbers as they stand. */
function whyUnfit({ builders }: TableBuilder): string | null {
  const isPlain = builders.every(
    ({ decided, written, name }) => decided.keepsNumbers && written === null && !namesRows(name),
  )
  return isPlain ? null : 'Some of its columns are looked at cell by cell.'
}

function formOf({ offset, rows, columns, fortranOrder }: NpyHeader) {
  return { offset, rows, columns, byColumn: fortranOrder }
}

type Form = Parameters<ReadFloatTable>[0]

/** Null where it failed: what fails here shows itself, in a sentence, where blocks are read. */
async function readAll(
  read: ReadFloatTable,
  form: Form,
  room: Room,
  table: TableBuilder,
  { signal, onBytes }: FloatReading,
): Promise<{ readonly facts: NativeFloatTable; readonly x: Float32Array } | null> {
  const x = room.coordinates('float32', form.rows * form.columns)
  if (!(x instanceof Float32Array)) return null
  const progress = new Int32Array(2)
  const bytesOfBlock = rowsOfFloatBlock * form.columns * bytesOf('f4')
  const report = () => {
    const blocks = Atomics.load(progress, progressBlocks)
    table.rows = Math.min(form.rows, blocks * rowsOfFloatBlock)
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
  facts: NativeFloatTable,
  x: Float32Array,
): void {
  const read = table.builders.map(
    ({ decided }, index) =>
      new ReadColumn(decided, rows, facts.columns[index], new FloatColumn(x, columns, index)),
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
