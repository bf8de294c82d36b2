import type { Coordinates, ProcessGroupHandle } from '../engine'

/** A numeric column over the points of a run (dataset/feature-column.ts). No array may change while the addon reads it. */
export interface NativeColumn {
  /** Rows of the column, 2^14 in each block but the last: whole numbers over the block's scale, float64, float32, or codes. */
  readonly blocks: readonly (Int32Array | Float64Array | Float32Array | Uint8Array | Uint16Array)[]
  /** One for each block. */
  readonly scales: Float64Array
  /** What each code stands for; null where there are none. */
  readonly codeValues: Float64Array | null
  /** Row of each point; null where every row is a point. */
  readonly rows: Uint32Array | null
  /** `file value = offset + value * 2^exponent`. */
  readonly offset: number
  readonly exponent: number
  /** Column units; NaN where a missing cell stays missing. */
  readonly fill: number
  /** Processes that hold the points before and after these, in the order of the ranks: figures are of all. Absent: these are all. */
  readonly processGroup?: ProcessGroupHandle
}

/**
 * Columns as points, on all threads (kernels/table). Every figure is the same for any number of threads, and to the last bit
 * that of the functions in dataset/ which work without it. Arrays that are filled or read may not change until the answer is there.
 */
export interface NativeColumns {
  /** Missing values left out; `min` and `max` infinite where there is none. */
  columnMoments(column: NativeColumn): Promise<{
    readonly count: number
    readonly min: number
    readonly max: number
    readonly sum: number
  }>
  /** Sum of squares about `mean`. */
  columnSquares(column: NativeColumn, mean: number): Promise<number>
  /**
   * (shares, 3) the values of the ranks on either side of each share of the way up, and what part of the way from the lower
   * to the upper one it lies; NaN where there is none.
   */
  columnNeighbours(column: NativeColumn, shares: Float64Array): Promise<Float64Array>
  /** Fills `marks` (n): 1 for the points that miss a value in a column, else 0. @returns how many do */
  incompleteRows(columns: readonly NativeColumn[], marks: Uint8Array): Promise<number>
  /** Fills `marks` (n): 1 for the points with a value from `low` to `high`, else 0. */
  rowsBetween(column: NativeColumn, low: number, high: number, marks: Uint8Array): Promise<void>
  /**
   * Fills `x` (n, d) with `(value - centre) * gain * factor`.
   * @returns (d) sums of what is held, and of the squared errors of rounding to it
   */
  fillPoints(
    columns: readonly NativeColumn[],
    centres: Float64Array,
    gains: Float64Array,
    factors: Float64Array,
    x: Coordinates,
  ): Promise<{ readonly sums: Float64Array; readonly roundedSquares: Float64Array }>
  /** (2 d) of rows in units of the file, divided by their norm: the least value of each coordinate, then the greatest. */
  sphereRanges(columns: readonly NativeColumn[]): Promise<Float64Array>
  /** Fills `x` (n, d) with `(value of such a row - offset) * factor`. @returns as `fillPoints` */
  fillOnSphere(
    columns: readonly NativeColumn[],
    offsets: Float64Array,
    factors: Float64Array,
    x: Coordinates,
  ): Promise<{ readonly sums: Float64Array; readonly roundedSquares: Float64Array }>
  /** (d) sums of squares of points `x` (n, d) about `mean` (d). @param processGroup as of a column */
  pointSquares(x: Coordinates, mean: Float64Array, processGroup?: ProcessGroupHandle): Promise<Float64Array>
}
