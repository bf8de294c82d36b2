import { NextIndex } from './next-index'
import type { LineEnds } from './table-reader'

const lineFeed = 10
const carriageReturn = 13

/** Finds the line ends of one text: line feed, carriage return, or both. */
export class LineScanner {
  readonly #text: string
  readonly #last: boolean
  readonly #feeds: NextIndex
  readonly #returns: NextIndex

  /** @param last nothing follows the text, so that a carriage return at its end is a whole line end */
  constructor(text: string, last: boolean) {
    this.#text = text
    this.#last = last
    this.#feeds = new NextIndex(text, '\n')
    this.#returns = new NextIndex(text, '\r')
  }

  /**
   * Where the line that holds `from` ends: at a line end or, with nothing to follow, at the end of the text. -1
   * when that is still to come.
   */
  end(from: number): number {
    const { length } = this.#text
    const feed = this.#feeds.at(from)
    const end = Math.min(feed, this.#returns.at(from))
    if (this.#last) return end
    // A carriage return at the end of a block may be half of a line end.
    return end === length || (end === length - 1 && end !== feed) ? -1 : end
  }

  /** The first character behind a line end. */
  after(end: number): number {
    return this.#isPair(end) ? end + 2 : Math.min(end + 1, this.#text.length)
  }

  count(end: number, lineEnds: LineEnds): void {
    if (end === this.#text.length) return
    if (this.#isPair(end)) lineEnds.crlf++
    else if (this.#text.charCodeAt(end) === lineFeed) lineEnds.lf++
    else lineEnds.cr++
  }

  #isPair(end: number): boolean {
    const text = this.#text
    return text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed
  }
}
