/** A column as plots take it: file value = offset + values[row] * unit; NaN = missing; min and max in file units. */
export interface PlotColumn {
  /** Column of the file, or -1 for the row number. */
  readonly index: number
  readonly name: string
  readonly values: Float32Array
  readonly offset: number
  /** A power of two, 1 but for columns that leave the range of float32. */
  readonly unit: number
  readonly min: number
  readonly max: number
}
