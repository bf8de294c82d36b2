import Papa from 'papaparse'
import type { Delimiter, Dialect } from '@shared/dataset'
import { UnclosedQuote, type Newline, type TableReader } from './table-reader'

/** A quoted cell longer than this is a quote that was never closed, not a cell. */
const longestPending = 32 << 20

/** Stands for "no quoting": refused in the text before, so it never occurs. */
const noQuote = '\u0000'

interface ParserAnswer {
  readonly data: string[][]
  readonly errors: readonly { readonly code: string; readonly row?: number }[]
  readonly meta: { readonly cursor: number }
}

/** Delimited text by PapaParse's parser. Never its fastMode, which corrupts quoted files silently. */
export class PapaReader implements TableReader {
  readonly #config: Papa.ParseConfig
  readonly #newline: Newline
  #rest = ''
  #records = 0

  constructor(delimiter: Exclude<Delimiter, ' '>, quote: Dialect['quote'], newline: Newline) {
    this.#newline = newline === '\r\n' ? '\n' : newline
    this.#config = {
      delimiter,
      newline: this.#newline,
      quoteChar: quote === '' ? noQuote : quote,
      fastMode: false,
      header: false,
      dynamicTyping: false,
      skipEmptyLines: false,
    }
  }

  push(text: string, last: boolean): readonly string[][] {
    const input = this.#rest + text
    if (input === '') return []
    const answer = new Papa.Parser(this.#config).parse(input, 0, !last) as ParserAnswer
    const unclosed = answer.errors.find(({ code }) => code === 'MissingQuotes')
    if (last && unclosed) throw new UnclosedQuote(this.#records + (unclosed.row ?? 0))
    this.#rest = last ? '' : input.slice(answer.meta.cursor)
    if (this.#rest.length > longestPending) throw new UnclosedQuote(this.#records + answer.data.length)
    const records = last ? withoutFinalBlank(answer.data, input, this.#newline) : answer.data
    this.#records += records.length
    return this.#newline === '\n' ? records.map(withoutReturn) : records
  }
}

/** Text that ends with a line end has no further, empty record behind it. */
function withoutFinalBlank(records: string[][], input: string, newline: string): string[][] {
  const final = records.at(-1)
  const blank = final !== undefined && final.length === 1 && final[0] === '' && input.endsWith(newline)
  return blank ? records.slice(0, -1) : records
}

/** Lines are cut at line feeds, so that mixed line ends work; the carriage return goes with the last cell. */
function withoutReturn(cells: string[]): string[] {
  const end = cells.length - 1
  if (cells[end].endsWith('\r')) cells[end] = cells[end].slice(0, -1)
  return cells
}
