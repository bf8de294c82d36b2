import type { ColumnInfo, ColumnType } from '@shared/dataset'
import type { NumericColumn } from '../dataset/dataset'
import { NumberBlocks } from '../dataset/number-blocks'
import { CoarseNumberWatch } from './coarse-numbers'
import { classify, lastNumber } from './number'
import type { ColumnFacts } from './column-facts'
import { describeColumn, namesRows } from './column-type'
import { OddCellWatch } from './odd-cells'

/** Distinct texts remembered per column: enough to tell categories from free text, bounded for large files. */
const maxDistinct = 1000

/** Numbers compared with each other before a column counts as free of repetitions. */
const maxWatched = 1 << 16

/** What a row brought to a column, when it was no number. */
export type CellNote = 'infinite' | 'other' | null

/** Collects one column while the file streams by. Text is not kept, only counted. */
export class ColumnBuilder {
  readonly index: number
  readonly name: string
  readonly #decimal: '.' | ','
  readonly #forced: ColumnType | undefined
  readonly #values: NumberBlocks | null
  readonly #texts = new Set<string>()
  readonly #odd = new OddCellWatch()
  readonly #coarse = new CoarseNumberWatch()
  #manyTexts = false
  #rows = 0
  #numbers = 0
  #infinite = 0
  #notNumeric = 0
  #min = Infinity
  #max = -Infinity
  #sum = 0
  #integer = true
  #countsUp = true
  /** Numbers so far, to find a repetition; null where nobody asks or one was found. */
  #seen: Set<number> | null
  #previous = NaN

  /**
   * @param first cells of the first block: they decide whether numbers are kept
   * @param isLate numbers are kept whatever the first block holds
   */
  constructor(
    index: number,
    name: string,
    first: readonly string[],
    decimal: '.' | ',',
    forced?: ColumnType,
    isLate = false,
  ) {
    this.index = index
    this.name = name
    this.#decimal = decimal
    this.#forced = forced
    this.#seen = namesRows(name) ? new Set() : null
    let numbers = 0
    let others = 0
    for (const cell of first) {
      const kind = classify(cell, decimal)
      if (kind === 'number') numbers++
      else if (kind === 'other') others++
    }
    const wanted = forced === undefined ? isLate || numbers >= others : forced === 'numeric'
    this.#values = wanted ? new NumberBlocks() : null
  }

  /** @param row its number in the file */
  push(cell: string, row: number): CellNote {
    this.#rows++
    const kind = classify(cell, this.#decimal)
    if (kind === 'number') {
      const value = lastNumber()
      this.#number(value)
      if (Math.abs(value) > Number.MAX_SAFE_INTEGER) this.#coarse.add(cell, value, row)
      if (this.#values === null) this.#text(cell)
      return null
    }
    this.#values?.push(NaN)
    if (kind !== 'missing') this.#odd.add(cell, row, kind === 'infinite')
    if (kind === 'infinite') this.#infinite++
    if (kind === 'other') {
      this.#notNumeric++
      this.#text(cell)
    }
    return this.#values === null || kind === 'missing' ? null : kind
  }

  /** Cells that are known to hold finite numbers: `count` of them at `first`, `first + step`, ... */
  pushNumbers(values: Float64Array, first: number, step: number, count: number): void {
    this.#rows += count
    let taken = 0
    // The first number begins a sequence; under the name of an identifier each is looked up.
    while (taken < count && (this.#seen !== null || this.#numbers === 0)) {
      this.#number(values[first + taken * step])
      taken++
    }
    this.#numbers += count - taken
    this.#values?.pushAll(values, first + taken * step, step, count - taken)
    this.#summarise(values, first + taken * step, step, count - taken)
  }

  /** Most of its cells are numbers, and none was kept, because those of the first block are not. */
  get missedNumbers(): boolean {
    const isMissing = this.#values === null && this.#forced === undefined
    return isMissing && this.#numbers > 0 && this.#numbers >= this.#notNumeric
  }

  finish(): { info: ColumnInfo; numeric: NumericColumn | undefined } {
    const info = describeColumn(this.#facts(), this.#values !== null, this.#forced)
    const keeps =
      this.#values !== null && this.#numbers > 0 && info.type !== 'text' && info.type !== 'categorical'
    if (!keeps || this.#values === null) return { info, numeric: undefined }
    return { info, numeric: this.#values.finish() }
  }

  #number(value: number): void {
    this.#numbers++
    this.#values?.push(value)
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
    this.#sum += value
    if (this.#integer && !Number.isInteger(value)) this.#integer = false
    if (this.#numbers > 1 && value !== this.#previous + 1) this.#countsUp = false
    this.#previous = value
    if (this.#seen !== null) this.#watch(this.#seen, value)
  }

  /** What `#number` gathers, of numbers after the first one; in locals, which is many times faster. */
  #summarise(values: Float64Array, first: number, step: number, count: number): void {
    let min = this.#min
    let max = this.#max
    let sum = this.#sum
    let isInteger = this.#integer
    let countsUp = this.#countsUp
    let previous = this.#previous
    for (let i = 0, at = first; i < count; i++, at += step) {
      const value = values[at]
      if (value < min) min = value
      if (value > max) max = value
      sum += value
      if (isInteger && !Number.isInteger(value)) isInteger = false
      if (countsUp && value !== previous + 1) countsUp = false
      previous = value
    }
    this.#min = min
    this.#max = max
    this.#sum = sum
    this.#integer = isInteger
    this.#countsUp = countsUp
    this.#previous = previous
  }

  #watch(seen: Set<number>, value: number): void {
    if (seen.has(value)) this.#seen = null
    else if (seen.size < maxWatched) seen.add(value)
  }

  #text(cell: string): void {
    if (this.#texts.size < maxDistinct) this.#texts.add(cell)
    else if (!this.#texts.has(cell)) this.#manyTexts = true
  }

  #facts(): ColumnFacts {
    const missing = this.#rows - this.#numbers - (this.#values === null ? this.#notNumeric : 0)
    return {
      index: this.index,
      name: this.name,
      rows: this.#rows,
      numbers: this.#numbers,
      missing,
      infinite: this.#infinite,
      notNumeric: this.#notNumeric,
      min: this.#min,
      max: this.#max,
      mean: Number.isFinite(this.#sum) ? this.#sum / this.#numbers : this.#min / 2 + this.#max / 2,
      integer: this.#integer,
      countsUp: this.#countsUp,
      unique: this.#seen !== null,
      distinct: this.#texts.size,
      manyDistinct: this.#manyTexts,
      odd: this.#odd.found(this.#numbers),
      coarse: this.#coarse.found(),
    }
  }
}
