/**
 * Places of damage in a text that comes in pieces. Each is told with its record, and only once that is complete: a quote that is
 * open, or a carriage return at the end of a piece, leaves it undecided where a record ends.
 */
export class DamagedPlaces {
  readonly #tell: (record: number) => void
  /** In the whole text, ascending. */
  #places: number[] = []
  #told = 0
  #taken = 0

  constructor(tell: (record: number) => void = () => undefined) {
    this.#tell = tell
  }

  /** @param places in the next piece, which has `length` characters */
  add(places: readonly number[], length: number): void {
    for (const place of places) this.#places.push(this.#taken + place)
    this.#taken += length
  }

  /** A record is complete; `left` characters of what was added stand behind it. */
  recordEnds(record: number, left: number): void {
    if (this.#places.length === 0) return
    const end = this.#taken - left
    for (; this.#told < this.#places.length && this.#places[this.#told] < end; this.#told++)
      this.#tell(record)
    if (this.#told === this.#places.length) this.#forget()
  }

  /** The places not told yet, counted from the beginning of the last `left` characters; somebody else tells them. */
  handOver(left: number): readonly number[] {
    const begin = this.#taken - left
    const places = this.#places.slice(this.#told).map((place) => place - begin)
    this.#forget()
    return places
  }

  #forget(): void {
    this.#places = []
    this.#told = 0
  }
}
