import type { Slices } from '../slices'
import { asInFile, unitExponent, type Centre } from './centre'
import type { ProcessGroupHandle } from '../engines/engine'
import type { NumericColumn } from './dataset'
import { FeatureColumn } from './feature-column'
import { lowerMedian } from './lower-median'

/** Of columns all of whose rows are points: found once, asked for by every run. */
const centreOfAll = new WeakMap<NumericColumn, Centre>()

/**
 * The offset that suits all rows of a run (kernels/contract.md): the lower median of the numbers of a feature, with the power
 * of two that their range asks for. Both follow from counts, a minimum and a maximum, so that it does not matter how the rows
 * are split. O(n), in slices.
 * @param rows dataset rows of the points; null for all @param group that hold the other points
 */
export async function centreOf(
  column: NumericColumn,
  rows: Uint32Array | null,
  slices: Slices,
  group?: ProcessGroupHandle,
): Promise<Centre> {
  const known = rows === null ? centreOfAll.get(column) : undefined
  if (known !== undefined) return known
  const values = new FeatureColumn(column, asInFile, rows, NaN, group)
  const { low, middle, high } = await lowerMedian(values, slices)
  const centre = { offset: middle, exponent: unitExponent(low, high) }
  if (rows === null) centreOfAll.set(column, centre)
  return centre
}
