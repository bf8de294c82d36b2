import type { Histogram } from '@shared/dataset'
import { Slices } from '../slices'
import { inColumnUnits } from './column-units'
import type { NumericColumn } from './dataset'

const blockRows = 1 << 16

/** Smallest and largest number of a column, in units of the file (`ColumnInfo.min`, `ColumnInfo.max`). */
export interface ColumnRange {
  readonly min: number
  readonly max: number
}

/**
 * Counts the values of a column in equal bins over its range, the last bin closed; missing cells are not
 * counted. A constant column fills the middle bin. Cost O(rows), in slices.
 * @throws LabError `cancelled`
 */
export async function histogram(
  { values, offset, exponent }: NumericColumn,
  { min, max }: ColumnRange,
  bins: number,
  signal: AbortSignal,
): Promise<Histogram> {
  const slices = new Slices(signal)
  const counts = new Array<number>(bins).fill(0)
  // In units of the column, where even a range from -1.7e308 to 1.7e308 is a number.
  const low = inColumnUnits(min, { offset, exponent })
  const range = max * 2 ** -exponent - min * 2 ** -exponent
  const binOf =
    range > 0
      ? (value: number) => Math.floor(((value - low) / range) * bins)
      : () => Math.floor((bins - 1) / 2)
  for (let start = 0; start < values.length; start += blockRows) {
    const end = Math.min(values.length, start + blockRows)
    for (let row = start; row < end; row++) {
      const value = values[row]
      // Rounding to float32 may carry a value just outside of the range the file has.
      if (!Number.isNaN(value)) counts[Math.min(bins - 1, Math.max(0, binOf(value)))]++
    }
    await slices.next()
  }
  return { min, max, counts }
}
