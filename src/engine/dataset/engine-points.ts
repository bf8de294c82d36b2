import type { Coordinates, Points, ProcessGroupHandle } from '../engines/engine'
import type { Slices } from '../slices'
import { columnsAddon, onAddon } from './on-addon'
import { addedUp, eachStretch, pieceCount } from './pieces'
import type { RowScaler } from './scaled-rows'

/** Engine units. */
export interface Spread {
  /** Mean over features of the variance (1/n). */
  readonly meanVariance: number
  /** Sum of squares about the mean. */
  readonly sumOfSquares: number
}

/** Points in engine units; `scaled value = engine value * 2^exponent`. */
export interface EnginePoints extends Points<Coordinates>, Spread {
  readonly exponent: number
  /** (d) sum over the points of the squared error of rounding to the points' precision, engine units. */
  readonly roundedSquares: Float64Array
}

/** Points of which several processes hold a part each: figures are of all. */
export interface PointCounts {
  /** Held here. */
  readonly held: number
  readonly all: number
  /** Of those processes; undefined where all are held here. */
  readonly group: ProcessGroupHandle | undefined
}

/**
 * x (n, d), row-major, with the largest magnitude in [0.5, 1) by one power of two for all features.
 * @param make makes the array that x is written to
 */
export async function enginePoints(
  scaler: RowScaler,
  { held: n, all, group }: PointCounts,
  d: number,
  make: (length: number) => Coordinates,
  slices: Slices,
): Promise<EnginePoints> {
  const writer = writerOf(scaler, n, d, slices)
  const { largest, powers } = scaler
  const exponent = commonExponent(largest, powers)
  const factors = Float64Array.from(powers, (power) => 2 ** (power - exponent))
  const x = make(n * d)
  const { sums, roundedSquares } = await writer.fill(factors, x)
  const maxAbs = Float32Array.from(largest, (value, j) => value * factors[j])
  const points = { x, n: all, d, maxAbs, exponent, roundedSquares }
  return { ...points, ...(await spreadOf(points, sums, slices, group)) }
}

/** Writes rows as points. */
interface PointWriter {
  /** Fills x with what is written times the factors (d). @returns (d) sums of what x holds, and of the squared errors of that */
  fill(
    factors: Float64Array,
    x: Coordinates,
  ): Promise<{ readonly sums: Float64Array; readonly roundedSquares: Float64Array }>
}

function writerOf(scaler: RowScaler, n: number, d: number, slices: Slices): PointWriter {
  const { linear, sphere, offset } = scaler
  const onSphere = sphere === undefined ? null : onAddon(sphere.columns)
  if (sphere !== undefined && onSphere !== null) {
    const { addon, columns } = onSphere
    return {
      fill: (factors, x) => slices.elsewhere(addon.fillOnSphere(columns, offset, factors, x)),
    }
  }
  const own = linear === undefined ? null : onAddon(linear.columns)
  if (linear === undefined || own === null) return writerInSlices(scaler, n, d, slices)
  const { centres, gains } = linear
  const { addon, columns } = own
  return {
    fill: (factors, x) => slices.elsewhere(addon.fillPoints(columns, centres, gains, factors, x)),
  }
}

function writerInSlices(scaler: RowScaler, n: number, d: number, slices: Slices): PointWriter {
  const row = new Float64Array(d)
  return {
    async fill(factors, x) {
      const sums = new Float64Array(pieceCount(n) * d)
      const rounded = new Float64Array(sums.length)
      await eachStretch(n, d, slices, (piece, first, last) => {
        for (let point = first; point < last; point++) {
          scaler.write(point, row)
          for (let j = 0; j < d; j++) {
            const value = row[j] * factors[j]
            x[point * d + j] = value
            const held = x[point * d + j]
            sums[piece * d + j] += held
            rounded[piece * d + j] += (value - held) * (value - held)
          }
        }
      })
      return { sums: addedUp(sums, d), roundedSquares: addedUp(rounded, d) }
    },
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

/** Float64, about the mean of the points as the engines hold them. @param sums (d) of the coordinates */
async function spreadOf(
  { x, n, d }: Points<Coordinates>,
  sums: Float64Array,
  slices: Slices,
  group: ProcessGroupHandle | undefined,
): Promise<Spread> {
  const squares = await squaresAbout(
    x,
    sums.map((sum) => sum / n),
    slices,
    group,
  )
  const sumOfSquares = squares.reduce((sum, one) => sum + one, 0)
  return { sumOfSquares, meanVariance: sumOfSquares / (n * d) }
}

/** (d) sums of squares of the points about `mean` (d). */
async function squaresAbout(
  x: Coordinates,
  mean: Float64Array,
  slices: Slices,
  group: ProcessGroupHandle | undefined,
): Promise<Float64Array> {
  const d = mean.length
  const addon = columnsAddon(x.length, group)
  if (addon !== null) return slices.elsewhere(addon.pointSquares(x, mean, group))
  const squares = new Float64Array(pieceCount(x.length / d) * d)
  await eachStretch(x.length / d, d, slices, (piece, first, last) => {
    for (let at = first * d; at < last * d; at++) {
      const difference = x[at] - mean[at % d]
      squares[piece * d + (at % d)] += difference * difference
    }
  })
  return addedUp(squares, d)
}
