import type { GeneratedPoints } from './points'
import { powersOfTen } from '@shared/generator-text'

const minus = 45
const point = 46
const zero = 48
const newline = 10

/** Bytes a coordinate takes at most: sign, 16 digits, point, separator. */
const maxCellBytes = 20

/** Formats rows as text, digits straight into bytes: several times as fast as making a string of each number. */
export class RowText {
  readonly #points: GeneratedPoints
  readonly #separator: number
  readonly #steps: Float64Array
  readonly #bytes: Uint8Array
  /** Most rows of a block. */
  readonly rows: number

  /** @param separator character between cells, e.g. `,` */
  constructor(points: GeneratedPoints, separator: string, rows: number) {
    this.#points = points
    this.#separator = separator.charCodeAt(0)
    this.rows = rows
    this.#steps = new Float64Array(rows * points.d)
    this.#bytes = new Uint8Array(rows * points.d * maxCellBytes)
  }

  /** The lines of rows first..first+count-1, in bytes that the next block writes over. */
  block(first: number, count: number): Uint8Array {
    const { d, decimals } = this.#points
    this.#points.steps(first, count, this.#steps)
    let at = 0
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < d; j++) {
        at = writeNumber(this.#steps[i * d + j], decimals[j], this.#bytes, at)
        this.#bytes[at++] = j + 1 < d ? this.#separator : newline
      }
    }
    return this.#bytes.subarray(0, at)
  }
}

/**
 * Writes `steps * 10^-decimals` as the shortest decimal number without an exponent.
 * @param steps whole, at most 15 digits
 * @returns where the next byte goes
 */
export function writeNumber(steps: number, decimals: number, out: Uint8Array, start: number): number {
  let at = start
  let rest = steps
  if (rest < 0) {
    out[at++] = minus
    rest = -rest
  }
  const unit = powersOfTen[decimals]
  const whole = Math.floor(rest / unit)
  at = writeWhole(whole, out, at)
  const fraction = rest - whole * unit
  return fraction === 0 ? at : writeFraction(fraction, decimals, out, at)
}

function writeWhole(value: number, out: Uint8Array, start: number): number {
  let length = 1
  while (length < powersOfTen.length && value >= powersOfTen[length]) length++
  return writeDigits(value, length, out, start)
}

/** Zeros at the end say nothing and are left away. */
function writeFraction(fraction: number, decimals: number, out: Uint8Array, start: number): number {
  out[start] = point
  let end = writeDigits(fraction, decimals, out, start + 1)
  while (out[end - 1] === zero) end--
  return end
}

/** Whole numbers of 32 bits are divided several times as fast as larger ones. */
const splitDigits = 9
const splitAt = 10 ** splitDigits

/** @returns where the next byte goes */
function writeDigits(value: number, length: number, out: Uint8Array, start: number): number {
  const end = start + length
  if (value < splitAt) {
    writeSmall(value, end, start, out)
    return end
  }
  const high = Math.floor(value / splitAt)
  writeSmall(value - high * splitAt, end, end - splitDigits, out)
  writeSmall(high, end - splitDigits, start, out)
  return end
}

/** The digits of 0000 to 9999, four bytes each. */
const fourDigits = Uint8Array.from({ length: 40_000 }, (_, at) => {
  const digit = at & 3
  return zero + (Math.floor((at >> 2) / 10 ** (3 - digit)) % 10)
})

/** Digits of a 32-bit number from before `end` down to `start`, with zeros in front. */
function writeSmall(value: number, end: number, start: number, out: Uint8Array): void {
  let rest = value | 0
  let at = end
  while (at - start >= 4) {
    const upper = (rest / 10_000) | 0
    const four = (rest - upper * 10_000) << 2
    at -= 4
    out[at] = fourDigits[four]
    out[at + 1] = fourDigits[four + 1]
    out[at + 2] = fourDigits[four + 2]
    out[at + 3] = fourDigits[four + 3]
    rest = upper
  }
  while (at > start) {
    const tenth = (rest / 10) | 0
    out[--at] = zero + rest - tenth * 10
    rest = tenth
  }
}
