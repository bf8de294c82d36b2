import { indicatorColumn } from '../dataset/one-hot'
import type { RunResult } from '../run/types'

/** A feature over the points of a run, in units of the file; what was missing holds what stood in for it. */
export interface FileValues {
  /** Points. */
  readonly length: number
  at(point: number): number
}

/** The features of a run, in their order. */
export function fileValues({ dataset, points }: RunResult): FileValues[] {
  const { rows, transform, preparation, n } = points
  const numeric = preparation.features.map((column) => dataset.numeric[column])
  const columns = [...numeric, ...(preparation.indicators ?? []).map((one) => indicatorColumn(dataset, one))]
  return columns.map((column, j) => {
    const fill = transform.fill?.[j] ?? NaN
    const at = (point: number) => {
      const value = column?.at(rows === null ? point : rows[point]) ?? NaN
      return Number.isNaN(value) ? fill : value
    }
    return { length: n, at }
  })
}
