/**
 * Offsets of damage in a text that comes in pieces. Each is reported with its record, and only once that is complete: a quote that
 * is open, or a carriage return at the end of a piece, leaves it undecided where a record ends.
 */
export class DamagedOffsets {
  readonly #report: (record: number) => void
  /** In the whole text, ascending. */
  #offsets: number[] = []
  #reported = 0
  #taken = 0

  constructor(report: (record: number) => void = () => undefined) {
    this.#report = report
  }

  /** @param offsets in the next piece, which has `length` characters */
  add(offsets: readonly number[], length: number): void {
    for (const offset of offsets) this.#offsets.push(this.#taken + offset)
    this.#taken += length
  }

  /** A record is complete; `left` characters of what was added stand behind it. */
  recordEnds(record: number, left: number): void {
    if (this.#offsets.length === 0) return
    const end = this.#taken - left
    for (; this.#reported < this.#offsets.length && this.#offsets[this.#reported] < end; this.#reported++)
      this.#report(record)
    if (this.#reported === this.#offsets.length) this.#forget()
  }

  /** The offsets not reported yet, counted from the beginning of the last `left` characters; another reader reports them. */
  handOver(left: number): readonly number[] {
    const begin = this.#taken - left
    const offsets = this.#offsets.slice(this.#reported).map((offset) => offset - begin)
    this.#forget()
    return offsets
  }

  #forget(): void {
    this.#offsets = []
    this.#reported = 0
  }
}
