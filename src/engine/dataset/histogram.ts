import type { Histogram } from '@shared/dataset'
import { Slices } from '../slices'
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
  column: NumericColumn,
  { min, max }: ColumnRange,
  bins: number,
  signal: AbortSignal,
): Promise<Histogram> {
  const slices = new Slices(signal)
  const counts = new Array<number>(bins).fill(0)
  // Halved where the range lies beyond float64.
  const unit = Number.isFinite(max - min) ? 1 : 0.5
  const low = min * unit
  const range = max * unit - low
  const binOf =
    range > 0
      ? (value: number) => Math.floor(((value * unit - low) / range) * bins)
      : () => Math.floor((bins - 1) / 2)
  for (let start = 0; start < column.length; start += blockRows) {
    const end = Math.min(column.length, start + blockRows)
    for (let row = start; row < end; row++) {
      const value = column.at(row)
      // Rounding may carry the largest value just outside.
      if (!Number.isNaN(value)) counts[Math.min(bins - 1, Math.max(0, binOf(value)))]++
    }
    await slices.next()
  }
  return { min, max, counts }
}
