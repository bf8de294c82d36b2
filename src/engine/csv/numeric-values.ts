/** Values per growth step. */
const chunkRows = 1 << 16

/** Beyond this a float32 is near its end; the column's power of two is raised before. */
const largest = 2 ** 100

/**
 * A growing numeric column: float32 values centred on an offset, `file value = offset + value * 2^exponent`;
 * NaN is missing. The exponent is 0 unless the numbers would leave the range of float32.
 */
export class NumericValues {
  readonly offset: number
  #exponent: number
  #values = new Float32Array(chunkRows)
  #rows = 0

  constructor(offset: number, exponent: number) {
    this.offset = offset
    this.#exponent = exponent
  }

  get exponent(): number {
    return this.#exponent
  }

  get bytes(): number {
    return this.#values.byteLength
  }

  push(value: number): void {
    if (this.#rows === this.#values.length) this.#grow()
    const centred = value - this.offset
    // The common case first: no power of two in between, no call per cell.
    if (this.#exponent === 0 && !(Math.abs(centred) > largest)) this.#values[this.#rows++] = centred
    else this.#pushScaled(value)
  }

  #pushScaled(value: number): void {
    // Halved first: the difference of two finite numbers may lie beyond float64.
    const half = value / 2 - this.offset / 2
    if (Math.abs(half * 2 ** (1 - this.#exponent)) > largest) {
      this.#raise(Math.ceil(Math.log2(Math.abs(half))) + 1)
    }
    this.#values[this.#rows++] = half * 2 ** (1 - this.#exponent)
  }

  /** The values, in an array of their own length. */
  take(): Float32Array {
    return this.#values.slice(0, this.#rows)
  }

  #raise(exponent: number): void {
    const factor = 2 ** (this.#exponent - exponent)
    for (let i = 0; i < this.#rows; i++) this.#values[i] *= factor
    this.#exponent = exponent
  }

  #grow(): void {
    const larger = new Float32Array(this.#values.length + Math.max(chunkRows, this.#values.length >> 1))
    larger.set(this.#values)
    this.#values = larger
  }
}

/**
 * Where a column is centred, from the values of the first block: a multiple of a power of two near their range,
 * so that whole numbers stay whole and 1 600 000 000 ± 5 keeps its digits. An exponent other than 0 only where
 * float32 would overflow or lose digits to its smallest numbers.
 */
export function centreOf(values: readonly number[]): { offset: number; exponent: number } {
  if (values.length === 0) return { offset: 0, exponent: 0 }
  const low = values.reduce((a, b) => Math.min(a, b), Infinity)
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity)
  const range = high - low
  if (range === 0) return { offset: low, exponent: 0 }
  if (!Number.isFinite(range)) return { offset: 0, exponent: 1024 }
  const mean = values.reduce((sum, value) => sum + value / values.length, 0)
  const step = 2 ** Math.floor(Math.log2(range))
  const offset = Math.abs(mean) < 1e300 && step > 1e-300 ? step * Math.round(mean / step) : 0
  const magnitude = Math.floor(Math.log2(range))
  return { offset, exponent: Math.abs(magnitude) > 60 ? magnitude : 0 }
}
