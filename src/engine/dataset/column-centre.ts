import type { Slices } from '../slices'
import { asInFile, unitExponent, type Centre } from './centre'
import type { ProcessGroupHandle } from '../engines/engine'
import { figureOf } from './column-figures'
import type { NumericColumn } from './dataset'
import { FeatureColumn } from './feature-column'
import { lowerMedian } from './lower-median'

/** With the least and the greatest of the numbers, units of the file; NaN where there is none. */
export interface CentredRange extends Centre {
  readonly low: number
  readonly high: number
}

/**
 * The offset that suits all rows of a run (kernels/contract.md): the lower median of the numbers of a feature, with the power
 * of two that their range asks for. Both follow from counts, a minimum and a maximum, so that it does not matter how the rows
 * are split. O(n), in slices.
 * @param rows dataset rows of the points; null for all @param group that hold the other points
 */
export function centreOf(
  column: NumericColumn,
  rows: Uint32Array | null,
  slices: Slices,
  group?: ProcessGroupHandle,
): Promise<CentredRange> {
  return figureOf(column, rows, 'centre', async () => {
    const values = new FeatureColumn(column, asInFile, rows, NaN, group)
    const { low, middle, high } = await lowerMedian(values, slices)
    return { offset: middle, exponent: unitExponent(low, high), low, high }
  })
}
