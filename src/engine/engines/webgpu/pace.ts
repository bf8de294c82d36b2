/** Longest piece of work given to the device at once, so that a cancel is answered within 200 ms. */
const pieceMs = 50
/** Multiply-adds a millisecond assumed before anything was measured; low on purpose. */
const firstGuess = { software: 1e4, hardware: 1e9 }

/** Learns how fast the device is and cuts the work accordingly. Never touches results. */
export class Pace {
  readonly #workPerIteration: number
  readonly #n: number
  readonly #pointsPerGroup: number
  #rate: number
  #batch = 4

  /** @param pointsPerGroup points of one workgroup: fewer would cost as much. */
  constructor(n: number, k: number, d: number, software: boolean, pointsPerGroup: number) {
    this.#n = n
    this.#pointsPerGroup = pointsPerGroup
    this.#workPerIteration = n * k * d
    this.#rate = software ? firstGuess.software : firstGuess.hardware
  }

  /** Iterations for the next submit; 0 when one iteration must be cut into pieces. */
  batch(most: number): number {
    const affordable = Math.floor((pieceMs * this.#rate) / this.#workPerIteration)
    return Math.min(most, affordable, this.#batch)
  }

  /** Points for the next piece of a cut iteration. */
  points(): number {
    const affordable = (pieceMs * this.#rate) / (this.#workPerIteration / this.#n)
    return this.#pointsPerGroup * Math.max(1, Math.floor(affordable / this.#pointsPerGroup))
  }

  /** `iterations` (or a fraction of one) took `ms`. */
  note(iterations: number, ms: number): void {
    this.#rate = (iterations * this.#workPerIteration) / Math.max(ms, 0.01)
    this.#batch = Math.min(1024, this.#batch * 2)
  }
}
