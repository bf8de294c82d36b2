import type { Coordinates, Points } from '@engine/engines/engine'
import type { ColumnScaling, MissingPolicy, Scaling } from '@shared/dataset'
import type { Precision } from '@shared/precision'
import type { Indicator } from '@engine/dataset/one-hot'
import type { RowFilter } from '@shared/row-filter/row-filter'

/** Where arrays lie that are as large as the data, and why there: a sentence where it is to be said. */
export interface DataLocation {
  readonly in: 'memory' | 'scratch'
  readonly reason: string | null
}

/** Which points of a dataset are clustered, and in what units. */
export interface Preparation {
  /** Columns of numbers by index, in the order asked for. */
  readonly features: readonly number[]
  readonly missing: MissingPolicy
  readonly scaling: Scaling
  /** By feature what it has instead of `scaling`, null for nothing; absent where none has its own. */
  readonly columnScalings?: readonly (ColumnScaling | null)[] | undefined
  /** Features that stand behind those of `features`; absent: none. */
  readonly indicators?: readonly Indicator[] | undefined
  /** Which rows are kept; absent or null: all. */
  readonly filter?: RowFilter | null | undefined
  /** Of the points; absent: float32. */
  readonly precision?: Precision
}

/**
 * How a row of the file becomes a point, by feature: stored in run.json, enough to place new rows among the
 * centroids later. `value = offset[j] + step[j] * engine value`, where value is in units of the file, or, under
 * `unit-length`, the coordinate of the row after it was divided by its norm.
 */
export interface FeatureTransform {
  /** (d) float64. */
  readonly offset: Float64Array
  /** (d) float64, never 0. */
  readonly step: Float64Array
  /** (d) units of the file: what stood in for a missing cell; null when the policy fills none. */
  readonly fill: Float64Array | null
}

/**
 * Points ready for an engine, with the way back to units of the file.
 * `scaled value = engine value * 2^exponent`; the scaled data are what tolerances and inertia are measured in.
 */
export interface PreparedPoints extends Points<Coordinates> {
  readonly preparation: Preparation
  /** Where the coordinates lie. */
  readonly location: DataLocation
  /** Dataset row of each point held here; null when every row is a point, in order. */
  readonly rows: Uint32Array | null
  /** The cell of a point held here, units of the file; NaN where it was filled. Of features that are no indicators. */
  cell?(point: number, feature: number): number
  readonly exponent: number
  /** The way back as numbers: what `toFile` applies (and, under `unit-length`, what it cannot undo). */
  readonly transform: FeatureTransform
  /** Mean over features of the variance (1/n) of the scaled data: the unit of `relative-shift`. */
  readonly meanVariance: number
  /** Sum of squares about the mean, scaled data. */
  readonly totalSumOfSquares: number
  /** See EnginePoints. */
  readonly roundedSquares: Float64Array
  /** How many rows the policy for missing cells left out. */
  readonly droppedRows: number
  readonly filledCells: number
  /** Dataset rows that the filter left out, ascending. */
  readonly filteredRows: Uint32Array
  /** Dataset rows that were left out by either, ascending (their label stays empty). */
  readonly leftOutRows: Uint32Array
  /**
   * (k, d) centroids in units of the file -> (k, d) engine units, in the precision of the points.
   * Inverse of `toFile` where the scaling has one; rows are normalised under `unit-length`.
   */
  toEngine(fileCentroids: Float64Array, k: number): Coordinates
  /**
   * (k, d) engine units -> units of the file, float64. Null under `unit-length`, which cannot be undone:
   * there the centroid in file units is the mean of the members' rows (see `memberMeans`).
   */
  toFile(centroids: Coordinates, k: number): Float64Array | null
  /**
   * (k, d) mean in units of the file of the rows labelled to each cluster; NaN for an empty one. Cost O(n d), in
   * slices; rejects with LabError `cancelled`.
   */
  memberMeans(labels: Int32Array, k: number, signal: AbortSignal): Promise<Float64Array>
}
