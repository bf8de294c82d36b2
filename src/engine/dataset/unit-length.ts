import type { Slices } from '../slices'
import type { FeatureColumn } from './feature-column'
import { onAddon } from './on-addon'
import type { RowScaler } from './scaled-rows'

const blockPoints = 4096

/**
 * Divides a row in place by its Euclidean norm; a row of zeros stays as it is. The largest magnitude is taken out
 * first, so that no square overflows or vanishes.
 */
export function normalise(row: Float64Array): void {
  let largest = 0
  for (const value of row) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return
  let squares = 0
  for (let j = 0; j < row.length; j++) {
    row[j] /= largest
    squares += row[j] * row[j]
  }
  const norm = Math.sqrt(squares)
  for (let j = 0; j < row.length; j++) row[j] /= norm
}

/** Rows of the file's own values on the unit sphere, about their middle so that float32 keeps their digits. */
export async function unitLengthScaler(
  columns: readonly FeatureColumn[],
  slices: Slices,
): Promise<RowScaler> {
  const d = columns.length
  const toSphere = (point: number, out: Float64Array) => {
    for (let j = 0; j < d; j++) out[j] = columns[j].fileAt(point)
    normalise(out)
  }
  const own = onAddon(columns)
  const [low, high] =
    own === null
      ? await rangesOf(columns[0].length, d, toSphere, slices)
      : halves(await slices.elsewhere(own.addon.sphereRanges(own.columns)))
  const offset = low.map((least, j) => roundMiddle(least, high[j]))
  // Rounding keeps the order, so that no other value is farther from the offset than the ends.
  const largest = offset.map((middle, j) => Math.max(Math.abs(low[j] - middle), Math.abs(high[j] - middle)))
  return {
    sphere: { columns },
    largest,
    powers: new Int32Array(d),
    offset,
    step: new Float64Array(d).fill(1),
    stepPowers: new Int32Array(d),
    write(point, out) {
      toSphere(point, out)
      for (let j = 0; j < d; j++) out[j] -= offset[j]
    },
  }
}

function halves(both: Float64Array): [Float64Array, Float64Array] {
  return [both.slice(0, both.length / 2), both.slice(both.length / 2)]
}

/** The least value of each coordinate, and the greatest. */
async function rangesOf(
  points: number,
  d: number,
  write: (point: number, out: Float64Array) => void,
  slices: Slices,
): Promise<[Float64Array, Float64Array]> {
  const low = new Float64Array(d).fill(Infinity)
  const high = new Float64Array(d).fill(-Infinity)
  const row = new Float64Array(d)
  for (let point = 0; point < points; point++) {
    write(point, row)
    for (let j = 0; j < d; j++) {
      if (row[j] < low[j]) low[j] = row[j]
      if (row[j] > high[j]) high[j] = row[j]
    }
    if (point % blockPoints === blockPoints - 1) await slices.next()
  }
  return [low, high]
}

/** The middle of a range, as a multiple of a power of two near that range. */
function roundMiddle(low: number, high: number): number {
  if (low === high) return low
  const step = 2 ** Math.floor(Math.log2(high - low))
  return step * Math.round((low + high) / 2 / step)
}
