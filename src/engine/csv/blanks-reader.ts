import { DamagedOffsets } from './damaged-offsets'
import { LineScanner } from './line-scanner'
import { singleQuote, unquoted } from './quoted'
import type { LineEnds, ReaderOptions, TableReader } from './table-reader'

/** A line longer than this is joined with as much text again at a time, not block by block. */
const longLine = 1 << 20

/** Cells separated by runs of blanks and tabs, as the `N / n / k` format and many instruments have them. */
export class BlanksReader implements TableReader {
  readonly lineEnds: LineEnds = { lf: 0, crlf: 0, cr: 0 }
  record: number
  readonly #quote: string
  readonly #onDoubt: ReaderOptions['onDoubt']
  readonly #damage: DamagedOffsets
  #rest = ''
  /** Text behind it that is not looked at yet. */
  #waiting = ''

  constructor({ form, onDoubt, onDamage }: ReaderOptions) {
    this.record = form.leadingLines + 1
    this.#quote = form.dialect.quote
    this.#onDoubt = onDoubt
    this.#damage = new DamagedOffsets(onDamage)
  }

  get isBetweenRecords(): boolean {
    return this.#rest === '' && this.#waiting === ''
  }

  push(text: string, last: boolean, damaged: readonly number[] = []): readonly string[][] {
    this.#damage.add(damaged, text.length)
    this.#waiting += text
    if (!last && this.#rest.length > longLine && this.#waiting.length < this.#rest.length) return []
    const input = this.#rest + this.#waiting
    this.#waiting = ''
    const lines = new LineScanner(input, last)
    const records: string[][] = []
    let at = 0
    for (; at < input.length; this.record++) {
      const end = lines.end(at)
      if (end < 0) break
      records.push(this.#cells(input.slice(at, end)))
      lines.count(end, this.lineEnds)
      at = lines.after(end)
      this.#damage.recordEnds(this.record, input.length - at)
    }
    this.#rest = input.slice(at)
    return records
  }

  #cells(line: string): string[] {
    const text = withoutOuterBlanks(line)
    if (this.#quote === '' || !text.includes(this.#quote)) return text.split(/[ \t]+/)
    const cells: string[] = []
    let isDoubtful = false
    for (let at = 0; at < text.length; at = behindBlanks(text, at)) {
      const close = this.#closingQuote(text, at)
      const end = close < 0 ? endOfWord(text, at) : close + 1
      const cell = close < 0 ? text.slice(at, end) : unquoted(text, at + 1, close, this.#quote)
      isDoubtful ||= close < 0 && cell.includes(this.#quote)
      cells.push(cell)
      at = end
    }
    if (isDoubtful) this.#onDoubt?.('stray', this.record)
    return cells
  }

  /** Where the quoted cell at `at` ends, followed by a blank or the end of the line; -1 when there is none. */
  #closingQuote(text: string, at: number): number {
    if (text[at] !== this.#quote) return -1
    const close = singleQuote(text, this.#quote, at + 1)
    const isEnd = close === text.length - 1 || isBlank(text[close + 1])
    return close >= 0 && isEnd ? close : -1
  }
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

function withoutOuterBlanks(line: string): string {
  let end = line.length
  while (isBlank(line[end - 1])) end--
  return line.slice(Math.min(end, behindBlanks(line, 0)), end)
}

function behindBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text[at])) at++
  return at
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBlank(text[at])) at++
  return at
}
