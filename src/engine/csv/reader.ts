import { BlanksReader } from './blanks-reader'
import { DelimitedReader } from './delimited-reader'
import { LineScanner } from './line-scanner'
import type { ReaderOptions, TableReader } from './table-reader'

/** The reader for a form of records; its numbers count the leading lines, which it leaves out. */
export function tableReader(options: ReaderOptions): TableReader {
  const { format, delimiter } = options.form.dialect
  const isBlanks = format === 'headed' || delimiter === ' '
  const reader = isBlanks ? new BlanksReader(options) : new DelimitedReader(options)
  return options.form.leadingLines === 0 ? reader : new BelowLines(reader, options.form.leadingLines)
}

/** Leaves out lines at the beginning, whatever stands in them. */
class BelowLines implements TableReader {
  readonly #reader: TableReader
  #left: number
  #rest = ''

  constructor(reader: TableReader, lines: number) {
    this.#reader = reader
    this.#left = lines
  }

  get lineEnds() {
    return this.#reader.lineEnds
  }

  get record() {
    return this.#reader.record - this.#left
  }

  push(text: string, last: boolean): readonly (readonly string[])[] {
    const input = this.#rest + text
    const at = this.#left === 0 ? 0 : this.#behindLines(input, last)
    if (this.#left > 0) {
      this.#rest = input.slice(at)
      return []
    }
    this.#rest = ''
    return this.#reader.push(input.slice(at), last)
  }

  #behindLines(input: string, last: boolean): number {
    const lines = new LineScanner(input, last)
    let at = 0
    for (; this.#left > 0; this.#left--) {
      const end = lines.end(at)
      if (end < 0) break
      at = lines.after(end)
    }
    return at
  }
}
