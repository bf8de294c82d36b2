import type { Dataset } from '../dataset/dataset'
import { indicatorColumn, type Indicator } from '../dataset/one-hot'
import type { RunResult } from '../run/types'

/** A feature over the points of a run, in units of the file; what was missing holds what stood in for it. */
export interface FileValues {
  /** Points. */
  readonly length: number
  at(point: number): number
}

/** Which values they are. */
export interface ValueSource {
  /** Points. */
  readonly n: number
  /** Dataset row of each point; null when every row is a point. */
  readonly rows: Uint32Array | null
  /** Columns of numbers by index. */
  readonly features: readonly number[]
  readonly indicators: readonly Indicator[]
  /** (d) for missing cells; null where there are none. */
  readonly fill: Float64Array | null
}

/** The features of a run, in their order. */
export function runValues({ dataset, points }: Pick<RunResult, 'dataset' | 'points'>): FileValues[] {
  const { n, rows, transform, preparation } = points
  const { features, indicators = [] } = preparation
  return fileValues(dataset, { n, rows, features, indicators, fill: transform.fill })
}

/** Features in units of the file, in their order. */
export function fileValues(
  dataset: Dataset,
  { n, rows, features, indicators, fill }: ValueSource,
): FileValues[] {
  const numeric = features.map((column) => dataset.numeric[column])
  const columns = [...numeric, ...indicators.map((one) => indicatorColumn(dataset, one))]
  return columns.map((column, j) => {
    const instead = fill?.[j] ?? NaN
    const at = (point: number) => {
      const value = column?.at(rows === null ? point : rows[point]) ?? NaN
      return Number.isNaN(value) ? instead : value
    }
    return { length: n, at }
  })
}
