import type { ProcessGroupHandle } from '../engines/engine'
import type { NativeColumn } from '../engines/native-addon/columns'
import type { Slices } from '../slices'
import { figureOf } from './column-figures'
import { inColumnUnits, type Centre } from './centre'
import type { CentredRange } from './column-centre'
import type { NumericColumn } from './dataset'
import { momentsOf, type Moments } from './moments'

/**
 * One feature over the points of a run: a numeric column, the rows that are points, and what stands in for a
 * missing cell. All values in column units: `file value = offset + value * 2^exponent`, in float64.
 */
export class FeatureColumn {
  readonly offset: number
  /** Size of one column unit in units of the file. */
  readonly unit: number
  readonly exponent: number
  /** Of the processes that hold the other points, of which figures are made too; undefined where these are all. */
  readonly group: ProcessGroupHandle | undefined
  readonly #column: NumericColumn
  readonly #rows: Uint32Array | null
  readonly #fill: number
  readonly #range: { readonly min: number; readonly max: number } | null

  /**
   * @param centre with the ends of the numbers of the rows, where they are known
   * @param fill column units; NaN when no cell of the rows is missing
   */
  constructor(
    column: NumericColumn,
    centre: Centre & Partial<CentredRange>,
    rows: Uint32Array | null,
    fill: number,
    group?: ProcessGroupHandle,
  ) {
    const { offset, exponent, low = NaN, high = NaN } = centre
    this.offset = offset
    this.exponent = exponent
    this.unit = 2 ** exponent
    this.#column = column
    this.#rows = rows
    this.#fill = fill
    this.group = group
    const isKnown = Number.isNaN(fill) && low <= high
    // Rounding keeps the order.
    this.#range = isKnown ? { min: inColumnUnits(low, centre), max: inColumnUnits(high, centre) } : null
  }

  /** The least and the greatest value of the points, column units. */
  async range(slices: Slices): Promise<{ readonly min: number; readonly max: number }> {
    return this.#range ?? (await this.moments(slices))
  }

  moments(slices: Slices): Promise<Moments> {
    return this.figure('moments', () => momentsOf(this, slices))
  }

  get length(): number {
    return this.#rows?.length ?? this.#column.length
  }

  /** The value of a point, in column units. */
  at(point: number): number {
    const value = this.#column.at(this.#rows === null ? point : this.#rows[point])
    return Number.isNaN(value) ? this.#fill : inColumnUnits(value, this)
  }

  /** For the CPU addon; null where the column is computed. */
  native(): NativeColumn | null {
    const held = nativeBlocks(this.#column)
    if (held === null) return null
    const { offset, exponent, group } = this
    const shared = group && { processGroup: group }
    return { ...held, rows: this.#rows, offset, exponent, fill: this.#fill, ...shared }
  }

  /** A figure of these values, found once for as long as the column and its rows are there. */
  figure<T>(name: string, find: () => Promise<T>): Promise<T> {
    const { offset, exponent } = this
    return figureOf(this.#column, this.#rows, [name, offset, exponent, this.#fill].join(' '), find)
  }

  /** The value of a point in units of the file. */
  fileAt(point: number): number {
    return this.toFile(this.at(point))
  }

  toFile(value: number): number {
    return this.offset + value * this.unit
  }
}

function nativeBlocks(column: NumericColumn): Pick<NativeColumn, 'blocks' | 'scales' | 'codeValues'> | null {
  const numbers = column.blocks?.()
  if (numbers !== undefined) return { blocks: numbers.values, scales: numbers.scales, codeValues: null }
  const held = column.codeBlocks?.()
  if (held === undefined) return null
  return { blocks: held.codes, scales: new Float64Array(held.codes.length).fill(1), codeValues: held.values }
}
