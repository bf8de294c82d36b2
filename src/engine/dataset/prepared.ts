import type { Coordinates, Points } from '@engine/engines/engine'
import type { MissingPolicy, Scaling } from '@shared/dataset'
import type { Precision } from '@shared/precision'

/** Which points of a dataset are clustered, and in what units. */
export interface Preparation {
  /** Column indices, ascending in the order asked for. */
  readonly features: readonly number[]
  readonly missing: MissingPolicy
  readonly scaling: Scaling
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
  /** Dataset row of each point; null when every row is a point, in order. */
  readonly rows: Uint32Array | null
  readonly exponent: number
  /** The way back as numbers: what `toFile` applies (and, under `unit-length`, what it cannot undo). */
  readonly transform: FeatureTransform
  /** Mean over features of the variance (1/n) of the scaled data: the unit of `relative-shift`. */
  readonly meanVariance: number
  /** Sum of squares about the mean, scaled data. */
  readonly totalSumOfSquares: number
  /** See EnginePoints. */
  readonly roundedSquares: Float64Array
  readonly droppedRows: number
  readonly filledCells: number
  /** Dataset rows that were left out, ascending (their label stays empty). */
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
