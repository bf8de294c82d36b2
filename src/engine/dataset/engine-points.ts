import type { Precision } from '@shared/precision'
import type { Coordinates, Points } from '../engines/engine'
import type { Slices } from '../slices'
import { coordinates } from './coordinates'
import type { RowScaler } from './scaled-rows'

/** Values written between two looks at the clock. */
const blockValues = 1 << 15

/** Points in engine units; `scaled value = engine value * 2^exponent`. */
export interface EnginePoints extends Points<Coordinates> {
  readonly exponent: number
  /** (d) sum over the points of the squared error of rounding to the points' precision, engine units. */
  readonly roundedSquares: Float64Array
}

/** x (n, d), row-major, with the largest magnitude in [0.5, 1) by one power of two for all features. */
export async function enginePoints(
  scaler: RowScaler,
  n: number,
  d: number,
  precision: Precision,
  slices: Slices,
): Promise<EnginePoints> {
  const row = new Float64Array(d)
  const largest = new Float64Array(d)
  await eachRow(n, d, slices, (point) => {
    scaler.write(point, row)
    for (let j = 0; j < d; j++) largest[j] = Math.max(largest[j], Math.abs(row[j]))
  })
  const exponent = commonExponent(largest, scaler.powers)
  const factors = Float64Array.from(scaler.powers, (power) => 2 ** (power - exponent))
  const x = coordinates(precision, n * d)
  const roundedSquares = new Float64Array(d)
  await eachRow(n, d, slices, (point) => {
    scaler.write(point, row)
    for (let j = 0; j < d; j++) {
      const value = row[j] * factors[j]
      x[point * d + j] = value
      const error = value - x[point * d + j]
      roundedSquares[j] += error * error
    }
  })
  const maxAbs = Float32Array.from(largest, (value, j) => value * factors[j])
  return { x, n, d, maxAbs, exponent, roundedSquares }
}

async function eachRow(n: number, d: number, slices: Slices, visit: (point: number) => void): Promise<void> {
  const block = Math.max(1, Math.floor(blockValues / d))
  for (let start = 0; start < n; start += block) {
    const end = Math.min(n, start + block)
    for (let point = start; point < end; point++) visit(point)
    await slices.next()
  }
}

/** Smallest power of two above every magnitude `largest[j] * 2^powers[j]`, also after rounding to float32. */
export function commonExponent(largest: Float64Array, powers: Int32Array): number {
  let exponent = -Infinity
  for (const [j, value] of largest.entries()) {
    if (value > 0) exponent = Math.max(exponent, powers[j] + exponentAbove(value))
  }
  return exponent === -Infinity ? 0 : exponent
}

/** e with 2^(e-1) <= value < 2^e for a float32-rounded value. */
function exponentAbove(value: number): number {
  let exponent = Math.floor(Math.log2(value)) + 1
  while (Math.fround(value * 2 ** -exponent) >= 1) exponent++
  while (Math.fround(value * 2 ** -exponent) < 0.5) exponent--
  return exponent
}

export interface Spread {
  /** Mean over features of the variance (1/n), engine units. */
  readonly meanVariance: number
  /** Sum of squares about the mean, engine units. */
  readonly sumOfSquares: number
}

/** Float64, in two passes over the points as the engines hold them. */
export async function spreadOf({ x, n, d }: Points<Coordinates>, slices: Slices): Promise<Spread> {
  const mean = new Float64Array(d)
  await eachRow(n, d, slices, (point) => {
    for (let j = 0; j < d; j++) mean[j] += x[point * d + j]
  })
  for (let j = 0; j < d; j++) mean[j] /= n
  const squares = new Float64Array(d)
  await eachRow(n, d, slices, (point) => {
    for (let j = 0; j < d; j++) {
      const difference = x[point * d + j] - mean[j]
      squares[j] += difference * difference
    }
  })
  const sumOfSquares = squares.reduce((sum, one) => sum + one, 0)
  return { sumOfSquares, meanVariance: sumOfSquares / (n * d) }
}
