import type { FileHandle } from 'node:fs/promises'
import { BlockDecoder } from '../csv/text-decoder'
import { readerFrom, tableReader } from '../csv/reader'
import type { TableReader } from '../csv/table-reader'
import type { Dataset } from '../dataset/dataset'
import { readInto } from '../formats/read-at'
import type { Slices } from '../slices'
import {
  behindLastLine,
  lineBehind,
  lineFormOf,
  simpleLineEnd,
  type LineForm,
  type Units,
} from './record-scan'

/** Read at a time while records are looked for. */
const blockBytes = 1 << 20
/** Bytes between two places at least: what is read for one record. In very large files more. */
const minGap = 1 << 12
const maxPlaces = 1 << 21
/** What the reader takes at a time where a line is not understood by itself. */
const readerSpan = 1 << 14

/** A stretch of a file that begins with a record. */
export interface Place {
  readonly offset: number
  /** Behind its last byte. */
  readonly end: number
  /** Number of its first record. */
  readonly record: number
}

/**
 * Where in a file of text records begin, one place every few thousand bytes: enough to read any of them without what
 * stands before. The file is looked through once, no further than somebody asks for; 12 bytes a place are kept.
 */
export class RecordPlaces {
  readonly #size: number
  readonly #dataset: Pick<Dataset, 'form' | 'firstRecord'>
  readonly #gap: number
  readonly #form: LineForm
  readonly #unitBytes: 1 | 2
  readonly #offsets: number[] = []
  readonly #records: number[] = []
  /** Everything before was looked at. */
  #offset = 0
  /** Number of the record that begins there. */
  #record: number
  /** What reads the head, and lines that are not understood by themselves. */
  #reader: TableReader | null
  #isEnd = false
  #work: Promise<void> = Promise.resolve()

  /** @param size bytes of the file */
  constructor(
    size: number,
    dataset: Pick<Dataset, 'form' | 'firstRecord'>,
    gap = Math.max(minGap, Math.ceil(size / maxPlaces)),
  ) {
    this.#size = size
    this.#dataset = dataset
    this.#gap = gap
    const { form } = dataset
    this.#form = lineFormOf(form.dialect)
    this.#unitBytes = form.dialect.encoding.startsWith('utf-16') ? 2 : 1
    this.#record = form.leadingLines + 1
    this.#reader = tableReader({ form })
    // What comes before the first record known by itself is read from the start of the file.
    this.#offsets.push(0)
    this.#records.push(this.#record)
  }

  /** The stretch that holds a record; null where the file ends before it. @throws LabError `cancelled`, RangeError */
  async of(handle: FileHandle, record: number, slices: Slices): Promise<Place | null> {
    // A place behind the record says where its stretch ends.
    while (!this.#isEnd && (this.#records.at(-1) ?? -1) <= record) await this.#advance(handle, slices)
    const at = lastNotAbove(this.#records, record)
    if (at < 0 || record >= this.#record) return null
    return {
      offset: this.#offsets[at],
      end: this.#offsets[at + 1] ?? this.#size,
      record: this.#records[at],
    }
  }

  /** One block further, one after the other whoever asks. */
  async #advance(handle: FileHandle, slices: Slices): Promise<void> {
    const before = this.#work
    const mine = before.then(async () => {
      if (!this.#isEnd) await this.#takeBlock(handle, slices)
    })
    this.#work = mine.catch(() => undefined)
    await mine
  }

  async #takeBlock(handle: FileHandle, slices: Slices): Promise<void> {
    for (let length = blockBytes; ; length *= 2) {
      const wanted = Math.min(length, this.#size - this.#offset)
      const bytes = Buffer.alloc(wanted)
      await readInto(handle, this.#offset, bytes)
      const isLast = this.#offset + wanted >= this.#size
      const units = this.#unitsOf(bytes)
      const whole = isLast ? units.length : behindLastLine(units)
      if (whole === 0 && !isLast) continue
      await this.#take(units.subarray(0, whole), bytes, isLast, slices)
      return
    }
  }

  /** @param units whole lines, of the bytes */
  async #take(units: Units, bytes: Buffer, isLast: boolean, slices: Slices): Promise<void> {
    const begin = this.#offset
    for (let at = 0; at < units.length;) {
      if (this.#reader === null) at = this.#skipLines(units, at, begin)
      if (at >= units.length) break
      const isHead = this.#record < this.#dataset.firstRecord
      const end = lineBehind(units, isHead ? at : at + readerSpan)
      this.#read(bytes.subarray(at * this.#unitBytes, end * this.#unitBytes))
      at = end
      this.#offset = begin + at * this.#unitBytes
      if (this.#reader === null) this.#mark()
      await slices.next()
    }
    this.#offset = isLast ? this.#size : begin + units.length * this.#unitBytes
    if (isLast) this.#finish()
  }

  /** @returns where a line begins that is not understood by itself, or the end */
  #skipLines(units: Units, from: number, begin: number): number {
    let at = from
    while (at < units.length) {
      const end = simpleLineEnd(units, at, this.#form)
      if (end < 0) break
      at = end
      this.#record++
      this.#offset = begin + at * this.#unitBytes
      this.#mark()
    }
    if (at < units.length) {
      this.#offset = begin + at * this.#unitBytes
      this.#reader = readerFrom(this.#record, { form: this.#dataset.form })
    }
    return at
  }

  #read(bytes: Buffer): void {
    // A carriage return at the end is no half of a line end: what follows is known.
    const text = textOf(bytes, this.#dataset, this.#offset === 0).replace(/\r$/, '\n')
    this.#record += this.#reader?.push(text, false).length ?? 0
    if (this.#record >= this.#dataset.firstRecord && this.#reader?.isBetweenRecords === true)
      this.#reader = null
  }

  #finish(): void {
    this.#record += this.#reader?.push('', true).length ?? 0
    this.#reader = null
    this.#isEnd = true
  }

  /** The first one as soon as it is known. */
  #isDue(): boolean {
    return this.#offsets.length === 1 || this.#offset - (this.#offsets.at(-1) ?? 0) >= this.#gap
  }

  /** The next record begins at `#offset`. */
  #mark(): void {
    if (!this.#isDue()) return
    this.#offsets.push(this.#offset)
    this.#records.push(this.#record)
  }

  #unitsOf(bytes: Buffer): Units {
    if (this.#unitBytes === 1) return bytes
    const even = bytes.length - (bytes.length % 2)
    const copy = Buffer.from(bytes.subarray(0, even))
    if (this.#dataset.form.dialect.encoding === 'utf-16be') copy.swap16()
    return new Uint16Array(copy.buffer.slice(copy.byteOffset, copy.byteOffset + even))
  }
}

/** Text of bytes that begin with a character. @param isStart a byte order mark may stand there */
export function textOf(bytes: Buffer, { form }: Pick<Dataset, 'form'>, isStart: boolean): string {
  const { encoding } = form.dialect
  const decoder = new BlockDecoder(encoding)
  // A mark is one at the beginning of the file alone.
  if (!isStart) decoder.decode(lineFeed[encoding], false)
  return decoder.decode(bytes, true).text
}

const lineFeed = {
  'utf-8': Buffer.from([10]),
  latin1: Buffer.from([10]),
  'utf-16le': Buffer.from([10, 0]),
  'utf-16be': Buffer.from([0, 10]),
} as const

/** Index of the last element that is not above; -1 where all are. */
function lastNotAbove(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
