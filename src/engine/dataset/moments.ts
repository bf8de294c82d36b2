import type { Slices } from '../slices'
import { onAddon, type Readable } from './on-addon'
import { addedUp, eachStretch, pieceCount } from './pieces'

/** Values by position; NaN is a missing one. */
export interface Values extends Readable {
  at(position: number): number
}

export interface Moments {
  /** Values that are not missing. */
  readonly count: number
  /** Infinite and crossed where there is none. */
  readonly min: number
  readonly max: number
  readonly sum: number
}

/** O(n), by the CPU addon on all threads or in slices: the same to the last bit. */
export async function momentsOf(values: Values, slices: Slices): Promise<Moments> {
  const own = onAddon([values])
  if (own !== null) return slices.elsewhere(own.addon.columnMoments(own.columns[0]))
  let [count, min, max] = [0, Infinity, -Infinity]
  const sums = new Float64Array(pieceCount(values.length))
  await eachPresent(values, slices, (value, piece) => {
    count++
    if (value < min) min = value
    if (value > max) max = value
    sums[piece] += value
  })
  return { count, min, max, sum: addedUp(sums, 1)[0] }
}

/** Calls for every value in order that is not missing. */
function eachPresent(values: Values, slices: Slices, visit: (value: number, piece: number) => void) {
  return eachStretch(values.length, 1, slices, (piece, first, last) => {
    for (let i = first; i < last; i++) {
      const value = values.at(i)
      if (value === value) visit(value, piece)
    }
  })
}

/** Mean and standard deviation (1/n), of a second pass; a constant series has exactly its value and 0. */
export async function meanAndDeviation(
  values: Values,
  { count, min, max, sum }: Moments,
  slices: Slices,
): Promise<{ readonly mean: number; readonly deviation: number }> {
  if (min === max) return { mean: min, deviation: 0 }
  const mean = sum / count
  return { mean, deviation: Math.sqrt((await squaresAbout(values, mean, slices)) / count) }
}

async function squaresAbout(values: Values, mean: number, slices: Slices): Promise<number> {
  const own = onAddon([values])
  if (own !== null) return slices.elsewhere(own.addon.columnSquares(own.columns[0], mean))
  const squares = new Float64Array(pieceCount(values.length))
  await eachPresent(values, slices, (value, piece) => {
    squares[piece] += (value - mean) * (value - mean)
  })
  return addedUp(squares, 1)[0]
}
