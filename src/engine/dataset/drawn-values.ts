import { inColumnUnits, middleOf, type Centre } from './centre'
import { readCells } from './column-cells'
import type { NumericColumn } from './dataset'

/** Float32 about the middle of a column's range: `file value = offset + values[i] * 2^exponent`; NaN = missing. */
export interface DrawnValues extends Centre {
  readonly values: Float32Array
}

/**
 * Part of a column as plots take it.
 * @param range of the whole column, units of the file
 */
export function drawnValues(
  column: NumericColumn,
  range: { readonly min: number; readonly max: number },
  start: number,
  count: number,
): DrawnValues {
  const centre = middleOf(range)
  const end = Math.max(start, Math.min(column.length, start + count))
  const values = new Float32Array(end - start)
  const cells = new Float64Array(values.length)
  readCells(column, start, cells)
  if (centre.exponent === 0) for (let i = 0; i < values.length; i++) values[i] = cells[i] - centre.offset
  else for (let i = 0; i < values.length; i++) values[i] = inColumnUnits(cells[i], centre)
  return { values, ...centre }
}
