import { DamagedOffsets } from './damaged-offsets'
import { LineScanner } from './line-scanner'
import { NextIndex } from './next-index'
import { singleQuote, unquoted } from './quoted'
import { hasWidth, swallowed, type SpannedLines } from './row-like'
import {
  quoteDoubts,
  type LineEnds,
  type QuoteDoubt,
  type ReaderOptions,
  type RecordForm,
  type TableReader,
} from './table-reader'

/** Characters of a quoted cell of several lines at most: beyond it the quote counts as never closed. */
const maxSpan = 16 << 20

/** Lines of a quoted cell that nobody wonders about. */
const maxPlainLines = 1000

/** A cell longer than this is joined with as much text again at a time, not block by block. */
const longCell = 1 << 20

/** What became of an attempt to read a cell. */
type Outcome = 'cell' | 'wait' | 'stray' | 'unclosed'

const bits: Readonly<Record<QuoteDoubt, number>> = { stray: 1, unclosed: 2, long: 4, blanks: 8 }

/** Delimited text. The grammar stands in README.md; names here are those of its rules. */
export class DelimitedReader implements TableReader {
  readonly lineEnds: LineEnds = { lf: 0, crlf: 0, cr: 0 }
  record: number
  readonly #form: RecordForm
  readonly #onDoubt: ReaderOptions['onDoubt']
  readonly #damage: DamagedOffsets
  readonly #delimiter: string
  readonly #quote: string
  /** Text from the cell that is not complete on; from the anchor on, where there is one. */
  #text = ''
  /** Text behind it that is not looked at yet. */
  #waiting = ''
  #last = false
  #lines = new LineScanner('', false)
  #quotes = new NextIndex('', '')
  #delimiters = new NextIndex('', '')
  /** Where the cell begins that is to be read next. */
  #at = 0
  /** Cells of the record so far. */
  #cells: string[] = []
  /** Within the quoted cell that begins at `#at`, everything before this was searched for its closing quote. */
  #searched = 0
  /** Where the record's first cell of several lines begins, to go back to; -1 when there is none. */
  #anchor = -1
  #anchorCells = 0
  #anchorDoubts = 0
  /** A record that is doubtful stays within its line. */
  #withinLine = false
  #doubts = 0
  #value = ''
  #stop = 0

  constructor({ form, onDoubt, onDamage }: ReaderOptions) {
    this.#form = form
    this.record = form.leadingLines + 1
    this.#delimiter = form.dialect.delimiter
    this.#quote = form.dialect.quote
    this.#onDoubt = onDoubt
    this.#damage = new DamagedOffsets(onDamage)
  }

  get isBetweenRecords(): boolean {
    return this.#text === '' && this.#waiting === '' && !this.#isWithinRecord()
  }

  push(text: string, last: boolean, damaged: readonly number[] = []): readonly string[][] {
    this.#damage.add(damaged, text.length)
    this.#waiting += text
    if (!last && this.#text.length > longCell && this.#waiting.length < this.#text.length) return []
    this.#begin(this.#waiting, last)
    this.#waiting = ''
    const records: string[][] = []
    while (this.#at < this.#text.length || (last && this.#isWithinRecord())) {
      if (!this.#plainLine(records) && !this.#cellByCell(records)) break
    }
    this.#keep()
    return records
  }

  #begin(text: string, last: boolean): void {
    this.#text = this.#text === '' ? text : this.#text + text
    this.#last = last
    this.#lines = new LineScanner(this.#text, last)
    this.#quotes = new NextIndex(this.#text, this.#quote)
    this.#delimiters = new NextIndex(this.#text, this.#delimiter)
  }

  #keep(): void {
    const base = this.#anchor >= 0 ? this.#anchor : this.#at
    this.#text = this.#text.slice(base)
    this.#at -= base
    this.#searched -= base
    if (this.#anchor >= 0) this.#anchor = 0
  }

  #isWithinRecord(): boolean {
    return this.#cells.length > 0 || this.#anchor >= 0
  }

  /** A line without quotes, which most are. */
  #plainLine(records: string[][]): boolean {
    if (this.#isWithinRecord()) return false
    const end = this.#lines.end(this.#at)
    if (end < 0 || this.#quotes.at(this.#at) < end) return false
    records.push(this.#text.slice(this.#at, end).split(this.#delimiter))
    this.#lines.count(end, this.lineEnds)
    this.#at = this.#lines.after(end)
    this.#nextRecord()
    return true
  }

  /** False when the rest of the record is still to come. */
  #cellByCell(records: string[][]): boolean {
    for (;;) {
      if (!this.#cell()) return false
      this.#cells.push(this.#value)
      this.#searched = 0
      this.#at = this.#stop + 1
      if (this.#text[this.#stop] === this.#delimiter) continue
      if (this.#mustGoBack()) this.#goBack()
      else break
    }
    this.#endRecord(records)
    return true
  }

  /** Reads the cell at `#at` into `#value` and `#stop`, its end. False when more text is needed. */
  #cell(): boolean {
    const quoted = this.#quotedCell()
    if (quoted === 'cell') return true
    return quoted !== 'wait' && this.#textCell(quoted)
  }

  #quotedCell(): Outcome {
    const open = this.#behindBlanks(this.#at)
    if (this.#quote === '' || this.#text[open] !== this.#quote) return 'stray'
    const lineEnd = this.#lines.end(open)
    const close = singleQuote(this.#text, this.#quote, Math.max(open + 1, this.#searched))
    const isWithinLine = close >= 0 && (lineEnd < 0 || close < lineEnd)
    if (!isWithinLine && lineEnd >= 0 && this.#isTooFar(close, open)) return 'unclosed'
    if (close < 0) return this.#waitFrom(this.#text.length)
    const stop = this.#behindBlanks(close + 1)
    if (stop >= this.#text.length && !this.#last) return this.#waitFrom(close)
    if (!this.#endsCell(stop)) return isWithinLine ? 'stray' : 'unclosed'
    if (!isWithinLine) {
      const spanning = this.#spanning(lineEnd, close)
      if (spanning !== 'cell') return spanning
    }
    this.#value = unquoted(this.#text, open + 1, close, this.#quote)
    this.#stop = stop
    if (open > this.#at || stop > close + 1) this.#doubts |= bits.blanks
    return 'cell'
  }

  #isTooFar(close: number, open: number): boolean {
    return this.#withinLine || (close < 0 ? this.#text.length : close) - open > maxSpan
  }

  /** Everything before `searched` is known not to close the cell. */
  #waitFrom(searched: number): Outcome {
    if (this.#last) return 'unclosed'
    this.#searched = searched
    return 'wait'
  }

  /** A quoted cell of several lines is believed, unless it is rows that a stray quote would swallow. */
  #spanning(firstEnd: number, close: number): Outcome {
    const lastEnd = this.#lines.end(close)
    if (lastEnd < 0) return this.#waitFrom(close)
    const further = this.#text.slice(this.#lines.after(firstEnd), lastEnd).split(/\r\n|\n|\r/)
    const kind = swallowed(this.#spannedLines(firstEnd, close, lastEnd, further), this.#form)
    if (kind === 'rows') return 'unclosed'
    this.#setAnchor()
    if (kind === 'perhaps' || further.length >= maxPlainLines) this.#doubts |= bits.long
    return 'cell'
  }

  #spannedLines(firstEnd: number, close: number, lastEnd: number, further: readonly string[]): SpannedLines {
    const cut = (line: string) => line.split(this.#delimiter)
    const last = further[further.length - 1]
    const { shape } = this.#form
    return {
      first: [...this.#cells, ...cut(this.#text.slice(this.#at, firstEnd))],
      opens: this.#cells.length,
      further: further.map(cut),
      closes: cut(last.slice(0, close - (lastEnd - last.length))).length - 1,
      isAboveData: shape !== null && this.record < shape.firstRecord,
    }
  }

  #setAnchor(): void {
    if (this.#anchor >= 0) return
    this.#anchor = this.#at
    this.#anchorCells = this.#cells.length
    this.#anchorDoubts = this.#doubts
  }

  /** Text up to the next delimiter or line end, quotes and all. */
  #textCell(why: 'stray' | 'unclosed'): boolean {
    const from = this.#at
    const end = this.#lines.end(from)
    const delimiter = this.#delimiters.at(from)
    const stop = delimiter < (end < 0 ? this.#text.length : end) ? delimiter : end
    if (stop < 0) return false
    this.#value = this.#text.slice(from, stop)
    this.#stop = stop
    if (this.#quotes.at(from) >= stop) return true
    this.#doubts |= bits[why]
    this.#withinLine = true
    return true
  }

  /** A record of several lines must have the table's width, and nothing doubtful behind its first line. */
  #mustGoBack(): boolean {
    if (this.#anchor < 0) return false
    if (this.#withinLine) return true
    const width = this.#form.shape?.width ?? this.#cells.length
    return !hasWidth(this.#cells, width)
  }

  /** Reads the record's first line again, for itself. */
  #goBack(): void {
    this.#at = this.#anchor
    this.#cells.length = this.#anchorCells
    this.#doubts = this.#anchorDoubts
    this.#anchor = -1
    this.#withinLine = true
  }

  #endRecord(records: string[][]): void {
    records.push(this.#cells)
    this.#lines.count(this.#stop, this.lineEnds)
    this.#at = this.#lines.after(this.#stop)
    for (const doubt of quoteDoubts) {
      if ((this.#doubts & bits[doubt]) !== 0) this.#onDoubt?.(doubt, this.record)
    }
    this.#nextRecord()
    this.#cells = []
    this.#doubts = 0
    this.#anchor = -1
    this.#withinLine = false
  }

  #nextRecord(): void {
    this.#damage.recordEnds(this.record, this.#text.length - this.#at)
    this.record++
  }

  #behindBlanks(from: number): number {
    let at = from
    while ((this.#text[at] === ' ' || this.#text[at] === '\t') && this.#text[at] !== this.#delimiter) at++
    return at
  }

  #endsCell(at: number): boolean {
    const next = this.#text[at]
    return next === undefined || next === this.#delimiter || next === '\n' || next === '\r'
  }
}
