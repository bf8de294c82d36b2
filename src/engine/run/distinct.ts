import type { AnyPoints, Coordinates } from '../engines/engine'
import { Slices } from '../slices'

/**
 * Number of distinct points, counted only as far as `enough`. A hash table of `enough` entries: O(n d) at worst,
 * a few rows of work where the points differ.
 */
export async function countDistinct(
  { x, n, d }: Pick<AnyPoints, 'x' | 'n' | 'd'>,
  enough: number,
  signal: AbortSignal,
): Promise<number> {
  const table = new DistinctRows(x, d, enough)
  const slices = new Slices(signal)
  for (let i = 0; i < n && table.size < enough; i++) {
    table.add(i)
    if (i % 1024 === 1023) await slices.next()
  }
  return table.size
}

/** Open addressing over row indices; rows are equal when all coordinates are (so 0 equals -0). */
class DistinctRows {
  size = 0
  readonly #x: Coordinates
  readonly #bits: Uint32Array
  /** Of 32 bits, in a coordinate. */
  readonly #words: number
  readonly #d: number
  readonly #slots: Int32Array

  constructor(x: Coordinates, d: number, most: number) {
    this.#x = x
    this.#words = x.BYTES_PER_ELEMENT / Uint32Array.BYTES_PER_ELEMENT
    this.#bits = new Uint32Array(x.buffer, x.byteOffset, x.length * this.#words)
    this.#d = d
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2))).fill(-1)
  }

  add(row: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#hash(row) & mask
    while (this.#slots[slot] >= 0) {
      if (this.#equal(this.#slots[slot], row)) return
      slot = (slot + 1) & mask
    }
    this.#slots[slot] = row
    this.size++
  }

  #hash(row: number): number {
    let hash = 0
    for (let at = row * this.#d; at < (row + 1) * this.#d; at++) {
      const isZero = this.#x[at] === 0
      for (let word = at * this.#words; word < (at + 1) * this.#words; word++) {
        hash = Math.imul(hash ^ (isZero ? 0 : this.#bits[word]), 0x9e3779b1)
        hash ^= hash >>> 15
      }
    }
    return hash >>> 0
  }

  #equal(a: number, b: number): boolean {
    for (let j = 0; j < this.#d; j++) {
      if (this.#x[a * this.#d + j] !== this.#x[b * this.#d + j]) return false
    }
    return true
  }
}
