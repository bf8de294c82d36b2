import type { Dialect } from '@shared/dataset'
import type { TableReader } from './table-reader'

/** Cells separated by runs of blanks and tabs, as the `N / n / k` studies and many instruments write them. */
export class WhitespaceReader implements TableReader {
  readonly #cell: RegExp | null
  readonly #quote: string
  #rest = ''

  constructor(quote: Dialect['quote']) {
    this.#quote = quote
    this.#cell =
      quote === '' ? null : new RegExp(`${quote}(?:[^${quote}]|${quote}${quote})*${quote}|\\S+`, 'g')
  }

  push(text: string, last: boolean): readonly string[][] {
    const input = this.#rest + text
    // A carriage return at the end of a block may be half of a line end.
    const lines = input.split(/\r\n|\n|\r(?!$)/)
    this.#rest = last ? '' : (lines.pop() ?? '')
    if (last && lines.at(-1) === '') lines.pop()
    return lines.map((line) => this.#cells(line))
  }

  #cells(line: string): string[] {
    const text = line.trim()
    if (this.#cell === null || !text.includes(this.#quote)) return text.split(/\s+/)
    return (text.match(this.#cell) ?? ['']).map((cell) => this.#bare(cell))
  }

  #bare(cell: string): string {
    const quote = this.#quote
    if (cell.length < 2 || !cell.startsWith(quote) || !cell.endsWith(quote)) return cell
    return cell.slice(1, -1).replaceAll(quote + quote, quote)
  }
}
