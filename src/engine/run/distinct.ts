import type { AnyPoints, Coordinates } from '../engines/engine'
import { emptyLike } from '../dataset/coordinates'
import { bytesOf, gathered, gatheredData, type Talking } from '../processes/collective'
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

/**
 * The same of points that several processes hold: mostly one of them has enough; else the different ones of each are put together.
 */
export async function countDistinctOfAll(
  { x, d }: Pick<AnyPoints, 'x' | 'd'>,
  enough: number,
  processes: Talking,
  signal: AbortSignal,
): Promise<number> {
  const n = x.length / d
  const table = new DistinctRows(x, d, enough)
  const slices = new Slices(signal)
  for (let i = 0; i < n && table.size < enough; i++) {
    table.add(i)
    if (i % 1024 === 1023) await slices.next()
  }
  const sizes = await gatheredData(processes, table.size)
  if (Math.max(...sizes) >= enough) return enough
  const all = await gathered(processes, bytesOf(table.rows()))
  const together = Buffer.concat(all)
  const rows = new Float32Array(
    together.buffer.slice(together.byteOffset, together.byteOffset + together.length),
  )
  return countDistinct({ x: rows, n: rows.length / d, d }, enough, signal)
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

  /** The coordinates of the different ones. */
  rows(): Coordinates {
    const found = [...this.#slots].filter((row) => row >= 0)
    const rows = emptyLike(this.#x, found.length * this.#d)
    for (const [i, row] of found.entries()) {
      rows.set(this.#x.subarray(row * this.#d, (row + 1) * this.#d), i * this.#d)
    }
    return rows
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
