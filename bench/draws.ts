import { generator } from '@tests/parity/fixtures'

/** Fits into the first cache. */
const tableSize = 2 ** 12
/** Deviations at which the table's numbers end. */
const tableEnd = 4

/** Marsaglia's xorshift with 32 bits of state: plain integers, for loops that run a billion times. */
export function step(state: number): number {
  state ^= state << 13
  state ^= state >>> 17
  return state ^ (state << 5)
}

/** Normal numbers (Box and Muller) of which the sum of two has the deviation, cut off at 4 of their own. */
export function normalTable(next: () => number, deviation: number): Float32Array {
  const each = deviation / Math.SQRT2
  return Float32Array.from({ length: tableSize }, () => {
    const size = Math.sqrt(-2 * Math.log(1 - next()))
    return each * Math.max(-tableEnd, Math.min(tableEnd, size * Math.cos(2 * Math.PI * next())))
  })
}

/** A stream of numbers that is always the same for the same seed. */
export class Draws {
  readonly #normals: Float32Array
  #state: number

  constructor(seed: number) {
    this.#normals = normalTable(generator(seed), 1)
    this.#state = 0x2545f491 ^ seed
  }

  /** 0 to below 2^32. */
  bits(): number {
    this.#state = step(this.#state)
    return this.#state >>> 0
  }

  /** In [0, 1). */
  uniform(): number {
    return this.bits() / 2 ** 32
  }

  /** 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.uniform() * end)
  }

  /** Mean 0, deviation 1. */
  normal(): number {
    const bits = this.bits()
    return this.#normals[bits & (tableSize - 1)] + this.#normals[bits >>> 20]
  }
}
