/**
 * Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
 * as 1, 2, 3" (SC 2011). A draw is a pure function of its address and the seed, so every engine can make any
 * draw on its own, in any order.
 *
 * Addresses (counter words, low to high): `index` low, `index` high, `round`, `stream`; key: seed low, seed high.
 * A uniform number takes words 0 (high part) and 1 (low part) of its block; words 2 and 3 stay unused.
 */
export const streams = {
  random: 1,
  kMeansPlusPlus: 2,
  kMeansParallel: 3,
  kMeansParallelReseed: 4,
  projection: 5,
  generatedRow: 6,
  generatedCoordinates: 7,
  generatedRepeat: 8,
  generatedCentres: 9,
  randomBox: 10,
  silhouetteSample: 11,
  gapReference: 12,
} as const

const rounds = 10
const multiplier0 = 0xd2511f53
const multiplier1 = 0xcd9e8d57
const weyl0 = 0x9e3779b9
const weyl1 = 0xbb67ae85

/** High 32 bits of the product of two 32-bit numbers, as a signed number; no step leaves 32-bit arithmetic. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0
  const carry = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (carry >>> 16)) | 0
}

/** One block: four unsigned 32-bit words for a counter of four and a key of two words, written to `out`. */
export function philox4x32(counter: ArrayLike<number>, key: ArrayLike<number>, out: Uint32Array): void {
  let c0 = counter[0] | 0
  let c1 = counter[1] | 0
  let c2 = counter[2] | 0
  let c3 = counter[3] | 0
  let k0 = key[0] | 0
  let k1 = key[1] | 0
  for (let round = 0; round < rounds; round++) {
    const low0 = Math.imul(multiplier0, c0)
    const low1 = Math.imul(multiplier1, c2)
    const high0 = multiplyHigh(multiplier0, c0)
    const high1 = multiplyHigh(multiplier1, c2)
    c0 = high1 ^ c1 ^ k0
    c1 = low1
    c2 = high0 ^ c3 ^ k1
    c3 = low0
    k0 = (k0 + weyl0) | 0
    k1 = (k1 + weyl1) | 0
  }
  out[0] = c0
  out[1] = c1
  out[2] = c2
  out[3] = c3
}

/** Draws of one stream under one seed. */
export class Draws {
  readonly #key: readonly [number, number]
  readonly #counter: [number, number, number, number]
  readonly #block = new Uint32Array(4)

  /** @param seed whole number in 0..2^53-1. */
  constructor(seed: number, stream: number) {
    this.#key = [seed >>> 0, Math.floor(seed / 2 ** 32)]
    this.#counter = [0, 0, 0, stream]
  }

  /** The four words at an address, in an array that the next draw writes over. */
  words(round: number, index: number): Uint32Array {
    const counter = this.#counter
    counter[0] = index >>> 0
    counter[1] = Math.floor(index / 2 ** 32)
    counter[2] = round
    philox4x32(counter, this.#key, this.#block)
    return this.#block
  }

  /** Uniform in [0, 1) with 53 bits, at an address. */
  uniform(round: number, index: number): number {
    const words = this.words(round, index)
    return ((words[0] >>> 5) * 2 ** 26 + (words[1] >>> 6)) / 2 ** 53
  }

  /** Whole number in 0..count-1, at an address. */
  below(count: number, round: number, index: number): number {
    return Math.min(count - 1, Math.floor(this.uniform(round, index) * count))
  }
}
