import { rowsOfFloatBlock as blockRows } from '../engines/native-addon/float-table'
import type { ColumnBlocks, NumericColumn } from './dataset'

const blockBits = Math.log2(blockRows)

/** A column of a table of float32 numbers that lie block by block, in each block column after column. */
export class FloatColumn implements NumericColumn {
  readonly length: number
  readonly #x: Float32Array
  readonly #columns: number
  readonly #index: number

  /** @param x (rows, columns) of all columns */
  constructor(x: Float32Array, columns: number, index: number) {
    this.length = x.length / columns
    this.#x = x
    this.#columns = columns
    this.#index = index
  }

  get byteLength(): number {
    return this.length * Float32Array.BYTES_PER_ELEMENT
  }

  at(row: number): number {
    const within = row & (blockRows - 1)
    return this.#x[this.#begin(row >>> blockBits) + within]
  }

  blocks(): ColumnBlocks {
    const count = Math.ceil(this.length / blockRows)
    const values = Array.from({ length: count }, (_, block) => {
      const begin = this.#begin(block)
      return this.#x.subarray(begin, begin + this.#rowsOf(block))
    })
    return { values, scales: new Float64Array(count).fill(1) }
  }

  #begin(block: number): number {
    return block * blockRows * this.#columns + this.#index * this.#rowsOf(block)
  }

  #rowsOf(block: number): number {
    return Math.min(blockRows, this.length - block * blockRows)
  }
}
