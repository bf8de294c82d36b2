import { BlanksReader } from './blanks-reader'
import { DelimitedReader } from './delimited-reader'
import { DamagedOffsets } from './damaged-offsets'
import { LineScanner } from './line-scanner'
import type { ReaderOptions, TableReader } from './table-reader'

/** The reader for a form of records; its numbers count the leading lines, which it leaves out. */
export function tableReader(options: ReaderOptions): TableReader {
  const { leadingLines } = options.form
  const reader = plainReader(options)
  return leadingLines === 0 ? reader : new BelowLines(reader, leadingLines, options.onDamage)
}

/** A reader that begins in the middle of a text, with a record of that number. */
export function readerFrom(record: number, options: ReaderOptions): TableReader {
  return plainReader({ ...options, form: { ...options.form, leadingLines: record - 1 } })
}

function plainReader(options: ReaderOptions): TableReader {
  const { format, delimiter } = options.form.dialect
  const isBlanks = format === 'headed' || delimiter === ' '
  return isBlanks ? new BlanksReader(options) : new DelimitedReader(options)
}

/** Leaves out lines at the beginning, whatever stands in them. */
class BelowLines implements TableReader {
  readonly #reader: TableReader
  readonly #lines: number
  readonly #damage: DamagedOffsets
  #passed = 0
  #rest = ''

  constructor(reader: TableReader, lines: number, onDamage: ReaderOptions['onDamage']) {
    this.#reader = reader
    this.#lines = lines
    this.#damage = new DamagedOffsets(onDamage)
  }

  get lineEnds() {
    return this.#reader.lineEnds
  }

  get record() {
    return this.#reader.record - (this.#lines - this.#passed)
  }

  get isBetweenRecords() {
    return this.#passed === this.#lines && this.#reader.isBetweenRecords
  }

  push(text: string, last: boolean, damaged: readonly number[] = []): readonly (readonly string[])[] {
    if (this.#passed === this.#lines) return this.#reader.push(text, last, damaged)
    this.#damage.add(damaged, text.length)
    const below = this.#behindLines(this.#rest + text, last)
    this.#rest = this.#passed < this.#lines ? below : ''
    if (this.#passed < this.#lines) return []
    return this.#reader.push(below, last, this.#damage.handOver(below.length))
  }

  #behindLines(input: string, last: boolean): string {
    const lines = new LineScanner(input, last)
    let at = 0
    for (; this.#passed < this.#lines; this.#passed++) {
      const end = lines.end(at)
      if (end < 0) break
      at = lines.after(end)
      this.#damage.recordEnds(this.#passed + 1, input.length - at)
    }
    return input.slice(at)
  }
}
