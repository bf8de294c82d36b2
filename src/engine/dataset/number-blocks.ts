import { inMemory, type Room } from '../scratch/room'
import type { ColumnBlocks, NumericColumn } from './dataset'

const blockBits = 14
/** Rows of a block: small beside a table, large beside what a block costs. */
const blockRows = 1 << blockBits

/** Values the open block has room for at first: a table of thousands of columns often has few rows. */
const firstRoom = 1 << 6

/** Decimal places a block is tried with: its whole numbers must fit into 32 bits anyway. */
const maxDecimals = 9
const powersOfTen = Array.from({ length: maxDecimals + 1 }, (_, power) => 10 ** power)

const largestWhole = 2 ** 31 - 1
/** Stands for a missing cell among whole numbers. */
const noNumber = -(2 ** 31)

/** `value = values[i] / scale`; a missing cell is `missing`. */
interface Block {
  readonly values: Int32Array | Float64Array
  readonly scale: number
  readonly missing: number
}

/**
 * A growing numeric column that loses nothing: every value is the float64 of its cell, so that an offset can be chosen when
 * all rows are known. What people write, a few decimal places, is held as whole numbers of 4 bytes over a power of ten: the
 * quotient of the two is rounded once, as reading the text is, and the block is kept so only where every value comes back.
 */
export class NumberBlocks implements NumericColumn {
  readonly #blocks: Block[] = []
  readonly #room: Pick<Room, 'keep'>
  #open: Float64Array = new Float64Array(firstRoom)
  #used = 0
  /** Of whole blocks. */
  #sums: number[] = []

  /** @param room where full blocks lie */
  constructor(room: Pick<Room, 'keep'> = inMemory) {
    this.#room = room
  }

  get length(): number {
    return this.#blocks.length * blockRows + this.#used
  }

  get byteLength(): number {
    return this.#blocks.reduce((sum, { values }) => sum + values.byteLength, this.#open.byteLength)
  }

  /** Of all numbers that were pushed: of each block for itself, then of these; exact within a block of whole numbers. */
  get sum(): number {
    return this.blockSums().reduce((sum, ofBlock) => sum + ofBlock, 0)
  }

  /** What `sum` is made of, in order. */
  blockSums(): Float64Array {
    const open = { values: this.#open.subarray(0, this.#used), scale: 1, missing: NaN }
    return Float64Array.from(this.#used > 0 ? [...this.#sums, sumOf(open)] : this.#sums)
  }

  at(row: number): number {
    const block = row >>> blockBits
    if (block === this.#blocks.length) return this.#open[row & (blockRows - 1)]
    const { values, scale, missing } = this.#blocks[block]
    const held = values[row & (blockRows - 1)]
    return held === missing ? NaN : held / scale
  }

  /** NaN is a missing cell; -0 becomes 0. */
  push(value: number): void {
    if (this.#used === this.#open.length) this.#grow()
    this.#open[this.#used++] = value + 0
    if (this.#used === blockRows) this.#close()
  }

  /** Values at `first`, `first + step`, ... */
  pushAll(from: Float64Array, first: number, step: number, count: number): void {
    for (let done = 0; done < count;) {
      if (this.#used === this.#open.length) this.#grow()
      const open = this.#open
      const end = Math.min(open.length, this.#used + count - done)
      let at = first + done * step
      done += end - this.#used
      for (let i = this.#used; i < end; i++, at += step) open[i] = from[at] + 0
      this.#used = end
      if (end === blockRows) this.#close()
    }
  }

  /** A whole block behind whole blocks, as another reader made it: whole numbers over `scale`, or float64. */
  addBlock(values: Int32Array | Float64Array, scale: number): void {
    const isWhole = values instanceof Int32Array
    this.#blocks.push({ values: this.#room.keep(values), scale, missing: isWhole ? noNumber : NaN })
  }

  /** What is behind the last whole block. */
  addRest(values: Float64Array): void {
    this.#open = values
    this.#used = values.length
  }

  /** No value follows: gives back what the last block has too much. */
  finish(): NumericColumn {
    this.#open = this.#open.slice(0, this.#used)
    return this
  }

  blocks(): ColumnBlocks {
    const open = this.#used > 0 ? [this.#open.subarray(0, this.#used)] : []
    const scales = new Float64Array(this.#blocks.length + open.length).fill(1)
    for (const [i, { scale }] of this.#blocks.entries()) scales[i] = scale
    return { values: [...this.#blocks.map(({ values }) => values), ...open], scales }
  }

  #grow(): void {
    const larger = new Float64Array(Math.min(blockRows, this.#open.length * 2))
    larger.set(this.#open)
    this.#open = larger
  }

  #close(): void {
    const block = wholeNumbers(this.#open) ?? { values: this.#open, scale: 1, missing: NaN }
    this.#sums.push(sumOf(block))
    const values = this.#room.keep(block.values)
    this.#blocks.push({ ...block, values })
    // What was copied leaves its room to others.
    if (values === this.#open) this.#open = new Float64Array(blockRows)
    this.#used = 0
  }
}

function sumOf({ values, scale, missing }: Block): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value !== missing && value === value) sum += value
  }
  return sum / scale
}

/** The values over the smallest power of ten that brings each of them back; null where there is none. */
function wholeNumbers(values: Float64Array): Block | null {
  const scale = commonScale(values)
  if (scale === null) return null
  const whole = new Int32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (Number.isNaN(value)) whole[i] = noNumber
    else {
      const scaled = Math.round(value * scale)
      if (Math.abs(scaled) > largestWhole) return null
      whole[i] = scaled
    }
  }
  return { values: whole, scale, missing: noNumber }
}

function commonScale(values: Float64Array): number | null {
  let decimals = 0
  let scale = 1
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    while (value === value && Math.round(value * scale) / scale !== value) {
      if (decimals === maxDecimals) return null
      scale = powersOfTen[++decimals]
    }
  }
  return scale
}
