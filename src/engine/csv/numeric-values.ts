import { inColumnUnits } from '../dataset/column-units'

/** Values a column has room for at first: a table of thousands of columns often has few rows. */
const firstRoom = 1 << 10

/** Beyond this a float32 is near its end; the column's power of two is raised before. */
const largest = 2 ** 100

/** Powers of two on either side of which the unit of a column would leave the normal float64 numbers. */
const farthestExponent = 1000

/** Where a column is centred and in what unit it is held. */
export interface Centre {
  /** Units of the file; NaN takes the first number that comes. */
  readonly offset: number
  readonly exponent: number
}

/**
 * A growing numeric column: float32 values centred on an offset, `file value = offset + value * 2^exponent`;
 * NaN is missing. The exponent is 0 unless the numbers would leave the range of float32.
 */
export class NumericValues {
  #offset: number
  #exponent: number
  #values: Float32Array
  #rows = 0

  /** @param room rows that are expected; more are taken too */
  constructor({ offset, exponent }: Centre, room = firstRoom) {
    this.#offset = offset
    this.#exponent = exponent
    this.#values = new Float32Array(room)
  }

  get offset(): number {
    return this.#offset
  }

  get exponent(): number {
    return this.#exponent
  }

  push(value: number): void {
    if (this.#rows === this.#values.length) this.#grow()
    const centred = value - this.#offset
    // The common case first: no power of two in between, no call per cell.
    const direct = this.#exponent === 0 && Math.abs(centred) <= largest
    this.#values[this.#rows++] = direct ? centred : this.#scaled(value)
  }

  /** Values at `first`, `first + step`, ..., which are numbers. */
  pushAll(from: Float64Array, first: number, step: number, count: number): void {
    while (this.#values.length < this.#rows + count) this.#grow()
    const values = this.#values
    const offset = this.#offset
    let taken = 0
    if (this.#exponent === 0) {
      for (let at = first, row = this.#rows; taken < count; taken++, at += step) {
        const centred = from[at] - offset
        if (!(Math.abs(centred) <= largest)) break
        values[row++] = centred
      }
      this.#rows += taken
    }
    for (; taken < count; taken++) this.push(from[first + taken * step])
  }

  #scaled(value: number): number {
    if (Number.isNaN(value)) return NaN
    if (Number.isNaN(this.#offset)) this.#offset = value
    if (Math.abs(this.#inUnits(value)) > largest) {
      // Halved first: the difference of two finite numbers may lie beyond float64.
      const half = Math.abs(value / 2 - this.#offset / 2)
      this.#raise(Math.min(farthestExponent, Math.ceil(Math.log2(half)) + 1))
    }
    return this.#inUnits(value)
  }

  #inUnits(value: number): number {
    return inColumnUnits(value, { offset: this.#offset, exponent: this.#exponent })
  }

  /** Gives the values away, in an array of their own length; the column is empty after. */
  take(): Float32Array {
    const values = this.#values
    this.#values = new Float32Array(0)
    return values.length === this.#rows ? values : values.slice(0, this.#rows)
  }

  #raise(exponent: number): void {
    const factor = 2 ** (this.#exponent - exponent)
    for (let i = 0; i < this.#rows; i++) this.#values[i] *= factor
    this.#exponent = exponent
  }

  #grow(): void {
    const larger = new Float32Array(Math.ceil(this.#values.length * 1.5) + 1)
    larger.set(this.#values)
    this.#values = larger
  }
}

/**
 * Where a column is centred, from the values of the first block: a multiple of a power of two near their range,
 * so that whole numbers stay whole and 1 600 000 000 ± 5 keeps its digits. An exponent other than 0 only where
 * float32 would overflow or lose digits to its smallest numbers.
 */
export function centreOf(values: readonly number[]): Centre {
  if (values.length === 0) return { offset: NaN, exponent: 0 }
  const low = values.reduce((a, b) => Math.min(a, b))
  const high = values.reduce((a, b) => Math.max(a, b))
  const range = high - low
  if (range === 0) return { offset: low, exponent: 0 }
  if (!Number.isFinite(range)) return { offset: 0, exponent: farthestExponent }
  const magnitude = Math.floor(Math.log2(range))
  const exponent = Math.abs(magnitude) > 60 ? Math.max(-farthestExponent, magnitude) : 0
  const mean = values.reduce((sum, value) => sum + value / values.length, 0)
  const step = 2 ** magnitude
  const offset = step * Math.round(mean / step)
  return { offset: Number.isFinite(offset) ? offset : 0, exponent }
}
