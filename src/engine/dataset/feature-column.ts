import type { NumericColumn } from './dataset'

/**
 * One feature over the points of a run: a numeric column, the rows that are points, and what stands in for a
 * missing cell. All values in column units: `file value = offset + value * 2^exponent`.
 */
export class FeatureColumn {
  readonly offset: number
  /** Size of one column unit in units of the file. */
  readonly unit: number
  readonly exponent: number
  readonly #values: Float32Array
  readonly #rows: Uint32Array | null
  readonly #fill: number

  /** @param fill column units, a float32; NaN when no cell of the rows is missing */
  constructor(column: NumericColumn, rows: Uint32Array | null, fill: number) {
    this.offset = column.offset
    this.exponent = column.exponent
    this.unit = 2 ** column.exponent
    this.#values = column.values
    this.#rows = rows
    this.#fill = fill
  }

  get length(): number {
    return this.#rows?.length ?? this.#values.length
  }

  /** The value of a point, in column units. */
  at(point: number): number {
    const value = this.#values[this.#rows === null ? point : this.#rows[point]]
    return Number.isNaN(value) ? this.#fill : value
  }

  /** The value of a point in units of the file. */
  fileAt(point: number): number {
    return this.toFile(this.at(point))
  }

  toFile(value: number): number {
    return this.offset + value * this.unit
  }
}
