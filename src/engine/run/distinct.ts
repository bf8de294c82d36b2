import type { Points } from '../engines/engine'
import { Slices } from '../slices'

/**
 * Number of distinct points, counted only as far as `enough`. A hash table of `enough` entries: O(n d) at worst,
 * a few rows of work where the points differ.
 */
export async function countDistinct(
  { x, n, d }: Pick<Points, 'x' | 'n' | 'd'>,
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
  readonly #x: Float32Array
  readonly #bits: Uint32Array
  readonly #d: number
  readonly #slots: Int32Array

  constructor(x: Float32Array, d: number, most: number) {
    this.#x = x
    this.#bits = new Uint32Array(x.buffer, x.byteOffset, x.length)
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
      const word = this.#x[at] === 0 ? 0 : this.#bits[at]
      hash = Math.imul(hash ^ word, 0x9e3779b1)
      hash ^= hash >>> 15
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
