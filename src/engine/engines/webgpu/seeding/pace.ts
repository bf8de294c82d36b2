/** Longest work given to the device at once, so that a close is noticed within 100 ms. */
const sliceMs = 40
/** Multiply-adds a millisecond assumed before anything was measured; low on purpose. */
const firstGuess = 1e7
/** Never so many at first that a wrong guess would matter. */
const maxAtFirst = 64

/** How much of some work in equal pieces to give out at once. */
export class SeedingPace {
  #pieces: number
  #began = performance.now()

  /** @param products multiply-adds of a piece. */
  constructor(products: number) {
    this.#pieces = Math.max(1, Math.min(maxAtFirst, Math.floor((sliceMs * firstGuess) / products)))
  }

  /** Pieces to give out now, of those that are left. */
  next(left: number): number {
    this.#began = performance.now()
    return Math.min(this.#pieces, left)
  }

  /** `pieces` have ended. */
  note(pieces: number): void {
    const ms = Math.max(0.01, performance.now() - this.#began)
    this.#pieces = Math.max(1, Math.min(4 * pieces, Math.floor((pieces * sliceMs) / ms)))
  }
}
