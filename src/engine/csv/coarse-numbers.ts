import type { CoarseNumbers } from '@shared/dataset'

const wholeText = /^\s*[+-]?\d{16,40}\s*$/

/** Watches a column for whole numbers that float64 cannot hold, such as times in nanoseconds. */
export class CoarseNumberWatch {
  #first: Omit<CoarseNumbers, 'count'> | null = null
  #count = 0

  /** @returns whether it is such. @param value what was read from the cell, beyond 2^53. @param row its number in the file */
  add(cell: string, value: number, row: number): boolean {
    if (!wholeText.test(cell) || BigInt(cell.trim().replace('+', '')) === BigInt(value)) return false
    this.#count++
    this.#first ??= { step: 2 ** (Math.floor(Math.log2(Math.abs(value))) - 52), row, cell: cell.trim() }
    return true
  }

  get count(): number {
    return this.#count
  }

  /** @param count where only the first was added: how many there are */
  found(count = this.#count): CoarseNumbers | undefined {
    return this.#first === null ? undefined : { count, ...this.#first }
  }
}
