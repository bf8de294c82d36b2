import type { Histogram } from '@shared/dataset'
import { Slices } from '../slices'
import { readCells } from './column-cells'
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
  const counts = new Float64Array(bins)
  const cells = new Float64Array(Math.min(blockRows, column.length))
  for (let start = 0; start < column.length; start += blockRows) {
    const some = cells.subarray(0, column.length - start)
    readCells(column, start, some)
    countCells(some, { min, max }, counts)
    await slices.next()
  }
  return { min, max, counts: [...counts] }
}

function countCells(cells: Float64Array, { min, max }: ColumnRange, counts: Float64Array): void {
  const bins = counts.length
  // Halved where the range lies beyond float64.
  const unit = Number.isFinite(max - min) ? 1 : 0.5
  const low = min * unit
  const range = max * unit - low
  const middle = Math.floor((bins - 1) / 2)
  for (let i = 0; i < cells.length; i++) {
    const value = cells[i]
    if (value !== value) continue
    const bin = range > 0 ? Math.floor(((value * unit - low) / range) * bins) : middle
    // Rounding may carry the largest value just outside.
    counts[Math.min(bins - 1, Math.max(0, bin))]++
  }
}
