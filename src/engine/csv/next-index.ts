/**
 * Where a character stands next in a text, for a reader that goes forward and now and then back a little: what
 * was found is kept for as long as it holds, so that the text is scanned about once.
 */
export class NextIndex {
  readonly #text: string
  readonly #what: string
  #from = 0
  #found = -1

  /** @param what one character; `''` stands nowhere */
  constructor(text: string, what: string) {
    this.#text = text
    this.#what = what
  }

  /** The first place at `from` or behind it; the length of the text when there is none. */
  at(from: number): number {
    if (from > this.#found || from < this.#from) this.#look(from)
    return this.#found
  }

  #look(from: number): void {
    const found = this.#what === '' ? -1 : this.#text.indexOf(this.#what, from)
    this.#found = found < 0 ? this.#text.length : found
    this.#from = from
  }
}
