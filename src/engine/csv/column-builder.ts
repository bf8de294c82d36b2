import { typeGiven, type ColumnType, type GivenType, type WrittenNumbers } from '@shared/dataset'
import { CategoryBlocks } from '../dataset/category-blocks'
import { NumberBlocks } from '../dataset/number-blocks'
import type { Room } from '../scratch/room'
import { CoarseNumberWatch } from './coarse-numbers'
import { classify, lastNumber, parseNumber, type CellKind } from './number'
import { meanOf, type ColumnFacts } from './column-facts'
import { namesRows } from './column-type'
import { DateReader, findDates } from './date-reader'
import type { NativeColumnFacts } from '../engines/native-addon/table-reader'
import type { OddCell } from './native-table'
import { finishColumn, missesNumbers, type DecidedColumn, type FinishedColumn } from './finished-column'
import { OddCellWatch } from './odd-cells'
import { findWrittenForm, readWritten, writtenWords, type WrittenForm } from './written-number'

/** Numbers compared with each other before a column counts as free of repetitions. */
const maxWatched = 1 << 16

/** What a row brought to a column, when it was no number. */
export type CellNote = 'infinite' | 'other' | null

/** Collects one column while the file streams by. Of texts a few different ones are kept, of more only that there are more. */
export class ColumnBuilder {
  readonly index: number
  readonly name: string
  readonly #decimal: '.' | ','
  readonly #forced: GivenType | undefined
  readonly #isText: boolean
  readonly #room: Room | undefined
  #values: NumberBlocks | null
  /** How its numbers or dates are written, where they are no plain numbers. */
  readonly written: WrittenForm | DateReader | null
  #firstWritten: WrittenNumbers | undefined
  /** Of the cell that was looked at last, where that is a number. */
  #value = NaN
  /** Rows stand in it only where no number is kept. */
  readonly #texts: CategoryBlocks
  readonly #odd = new OddCellWatch()
  readonly #coarse = new CoarseNumberWatch()
  /** Told of each cell that a sentence may be about, where another gathers them. */
  onOdd: ((cell: OddCell) => void) | null = null
  #rows = 0
  #numbers = 0
  #infinite = 0
  #notNumeric = 0
  #min = Infinity
  #max = -Infinity
  #integer = true
  #countsUp = true
  /** Numbers so far, to find a repetition; null where nobody asks or one was found. */
  #seen: Set<number> | null
  #first = NaN
  #previous = NaN

  /**
   * @param first cells of the first block: they decide whether numbers are kept
   * @param isLate numbers are kept whatever the first block holds
   * @param room where they are kept
   * @param isText the file says that it holds texts: none of them is a number, unless it is forced
   */
  constructor(
    index: number,
    name: string,
    first: readonly string[],
    decimal: '.' | ',',
    forced?: GivenType,
    isLate = false,
    room?: Room,
    isText = false,
  ) {
    this.index = index
    this.name = name
    this.#decimal = decimal
    this.#forced = forced
    this.#seen = namesRows(name) ? new Set() : null
    this.#isText = isText
    this.#room = room
    this.#texts = new CategoryBlocks(room)
    this.written = forced === undefined && isText ? null : findForm(first, decimal, forced)
    let numbers = 0
    let others = 0
    for (const cell of first) {
      const kind = this.#kindOf(cell)
      if (kind === 'number') numbers++
      else if (kind === 'other') others++
    }
    const isWanted = !isText && (isLate || numbers >= others)
    const wanted = forced === undefined ? isWanted : keepsNumbers.has(typeGiven(forced))
    this.#values = wanted ? new NumberBlocks(room) : null
  }

  /** @param row its number in the file */
  push(cell: string, row: number): CellNote {
    this.#rows++
    const kind = this.#kindOf(cell)
    if (kind === 'number') {
      const value = this.#value
      this.#number(value)
      this.#noteWritten(cell, row)
      const isLarge = Math.abs(value) > Number.MAX_SAFE_INTEGER
      if (isLarge && this.#coarse.add(cell, value, row)) this.#report(cell, row, 'coarse')
      if (this.#values === null) this.#text(cell)
      return null
    }
    this.#values?.push(NaN)
    if (this.#values === null && kind !== 'other') this.#texts.pushMissing()
    if (kind !== 'missing') {
      this.#odd.add(cell, row, kind === 'infinite')
      this.#report(cell, row, kind)
    }
    if (kind === 'infinite') this.#infinite++
    if (kind === 'other') {
      this.#notNumeric++
      this.#text(cell)
    }
    return this.#values === null || kind === 'missing' ? null : kind
  }

  #report(cell: string, record: number, kind: OddCell['kind']): void {
    this.onOdd?.({ record, column: this.index, kind, cell })
  }

  #kindOf(cell: string): CellKind {
    const { written } = this
    const value = written === null ? null : readIn(written, cell)
    if (value !== null) {
      this.#value = value
      return 'number'
    }
    const kind = classify(cell, this.#decimal)
    if (kind !== 'number') return kind
    this.#value = lastNumber()
    // Two ways to read the numbers of one column would mix them.
    return written === null ? kind : 'other'
  }

  /** The first number that a plain reader would not take, or would take for another. */
  #noteWritten(cell: string, row: number): void {
    if (this.written instanceof DateReader) return this.written.note(cell, row, this.#value)
    if (this.written === null || this.#firstWritten !== undefined) return
    if (parseNumber(cell, this.#decimal) === this.#value) return
    const words = writtenWords(this.written, this.#decimal)
    this.#firstWritten = { form: this.written, words, row, cell: cell.trim(), value: this.#value }
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

  get keepsNumbers(): boolean {
    return this.#values !== null
  }

  /** What the first block decides about the column, for a reader that gathers the rest itself. */
  get decided(): DecidedColumn {
    const { index, name, keepsNumbers: keeps } = this
    const given = { forced: this.#forced, isText: this.#isText, decimal: this.#decimal, room: this.#room }
    return { index, name, keepsNumbers: keeps, ...given }
  }

  /** That are kept. */
  get numbers(): NumberBlocks | null {
    return this.#values
  }

  /** Rows stand in it where no numbers are kept. */
  get texts(): CategoryBlocks {
    return this.#texts
  }

  /** As the CPU addon would tell, of rows behind which there are others. */
  nativeFacts(): NativeColumnFacts {
    const values = this.#values
    const { distinct, isMany, texts } = this.#texts
    const counts = {
      ...{ numbers: this.#numbers, notNumeric: this.#notNumeric },
      ...{ infinite: this.#infinite, coarse: this.#coarse.count },
    }
    const named = { distinct, manyDistinct: isMany, ...(texts && { texts }) }
    if (values === null) return { ...counts, ...named }
    const [min, max] = [this.#min + 0, this.#max + 0]
    const kept = {
      ...{ min, max, sum: values.sum, integer: this.#integer, countsUp: this.#countsUp },
      ...{ unique: this.#seen !== null, first: this.#first, last: this.#previous },
      ...{ blockSums: values.blockSums(), rest: new Float64Array() },
    }
    return { ...counts, ...named, kept }
  }

  get missedNumbers(): boolean {
    return missesNumbers(this.#facts(), this.decided)
  }

  finish(): FinishedColumn {
    this.#mendDates()
    return finishColumn(this.#facts(), this.#values, this.#texts, this.#forced)
  }

  /** The last cells may show how the first ones were meant. */
  #mendDates(): void {
    const mended = this.written instanceof DateReader ? this.written.correction() : null
    const before = this.#values
    if (mended === null || before === null) return
    this.#values = new NumberBlocks(this.#room)
    this.#numbers = 0
    ;[this.#min, this.#max, this.#integer, this.#countsUp] = [Infinity, -Infinity, true, true]
    for (let row = 0; row < before.length; row++) {
      const value = before.at(row)
      if (Number.isNaN(value)) this.#values.push(NaN)
      else this.#number(mended(value))
    }
  }

  #number(value: number): void {
    this.#numbers++
    this.#values?.push(value)
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
    if (this.#integer && !Number.isInteger(value)) this.#integer = false
    if (this.#numbers === 1) this.#first = value
    else if (value !== this.#previous + 1) this.#countsUp = false
    this.#previous = value
    if (this.#seen !== null) this.#watch(this.#seen, value)
  }

  /** What `#number` gathers, of numbers after the first one; in locals, which is many times faster. */
  #summarise(values: Float64Array, first: number, step: number, count: number): void {
    let min = this.#min
    let max = this.#max
    let isInteger = this.#integer
    let countsUp = this.#countsUp
    let previous = this.#previous
    for (let i = 0, at = first; i < count; i++, at += step) {
      const value = values[at]
      if (value < min) min = value
      if (value > max) max = value
      if (isInteger && !Number.isInteger(value)) isInteger = false
      if (countsUp && value !== previous + 1) countsUp = false
      previous = value
    }
    this.#min = min
    this.#max = max
    this.#integer = isInteger
    this.#countsUp = countsUp
    this.#previous = previous
  }

  #watch(seen: Set<number>, value: number): void {
    if (seen.has(value)) this.#seen = null
    else if (seen.size < maxWatched) seen.add(value)
  }

  /** A text beside numbers that are kept is only counted. */
  #text(cell: string): void {
    if (this.#values === null) this.#texts.push(cell)
    else this.#texts.note(cell)
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
      // -0 becomes 0, as in the column.
      min: this.#min + 0,
      max: this.#max + 0,
      mean: meanOf({
        ...{ sum: this.#values?.sum ?? 0, numbers: this.#numbers },
        ...{ min: this.#min, max: this.#max },
      }),
      integer: this.#integer,
      countsUp: this.#countsUp,
      unique: this.#seen !== null,
      distinct: this.#texts.distinct,
      manyDistinct: this.#texts.isMany,
      odd: this.#odd.found(this.#numbers),
      written: this.#firstWritten,
      date: this.written instanceof DateReader ? this.written.found() : undefined,
      coarse: this.#coarse.found(),
    }
  }
}

/** Types of columns of which numbers are kept. */
const keepsNumbers: ReadonlySet<ColumnType> = new Set(['numeric', 'date'])

/** Numbers as people write them, else dates; null where plain numbers do, or the column is given another type. */
function findForm(
  first: readonly string[],
  decimal: '.' | ',',
  forced: GivenType | undefined,
): WrittenForm | DateReader | null {
  if (forced === undefined) return findWrittenForm(first, decimal) ?? findDates(first)
  if (forced === 'numeric') return findWrittenForm(first, decimal)
  return typeGiven(forced) === 'date' ? findDates(first, forced) : null
}

function readIn(form: WrittenForm | DateReader, cell: string): number | null {
  return form instanceof DateReader ? form.read(cell) : readWritten(cell, form)
}
