import { CategoryBlocks } from '../dataset/category-blocks'
import type { NumericColumn } from '../dataset/dataset'
import { NumberBlocks } from '../dataset/number-blocks'
import type { NativeColumnFacts, NativeNumberFacts } from '../engines/native-addon/table-reader'
import { CoarseNumberWatch } from './coarse-numbers'
import { meanOf, type ColumnFacts } from './column-facts'
import {
  finishColumn,
  missesNumbers,
  type DecidedColumn,
  type FinishedColumn,
  type GrowingColumn,
} from './finished-column'
import { parseNumber } from './number'
import { OddCellWatch } from './odd-cells'

const nothing: NativeColumnFacts = {
  numbers: 0,
  notNumeric: 0,
  infinite: 0,
  coarse: 0,
  distinct: 0,
  manyDistinct: false,
}

const noNumbers: NativeNumberFacts = {
  min: Infinity,
  max: -Infinity,
  sum: 0,
  integer: true,
  countsUp: true,
  unique: false,
  first: 0,
  last: 0,
  blockSums: new Float64Array(),
  rest: new Float64Array(),
}

/** A column that the CPU addon reads: told of its blocks, and of its first cells that are not plain. */
export class NativeColumn implements GrowingColumn {
  readonly decided: DecidedColumn
  readonly #values: NumberBlocks | null
  readonly #odd = new OddCellWatch()
  readonly #coarse = new CoarseNumberWatch()
  readonly #texts: CategoryBlocks
  #rows = 0
  #facts = nothing

  /** @param held its numbers, where another reader has them already */
  constructor(decided: DecidedColumn, held: NumberBlocks | null) {
    this.decided = decided
    this.#texts = new CategoryBlocks(decided.room)
    this.#values = decided.keepsNumbers ? (held ?? new NumberBlocks(decided.room)) : null
  }

  get index(): number {
    return this.decided.index
  }

  /** A full block: whole numbers over `scale`, or float64. */
  addBlock(values: Int32Array | Float64Array, scale: number): void {
    this.#values?.addBlock(values, scale)
  }

  /** Of further rows, see NativeBatch. */
  addCodes(codes: Uint16Array): void {
    this.#texts.pushCodes(codes)
  }

  /** @param row its number in the file */
  odd(cell: string, row: number, kind: 'infinite' | 'other'): void {
    this.#odd.add(cell, row, kind === 'infinite')
  }

  coarse(cell: string, row: number): void {
    const value = parseNumber(cell, this.decided.decimal)
    if (value !== null) this.#coarse.add(cell, value, row)
  }

  /** All rows were read. */
  end(facts: NativeColumnFacts, rows: number): void {
    this.#facts = facts
    this.#rows = rows
    const { kept } = facts
    if (kept !== undefined && kept.rest.length > 0) this.#values?.addRest(kept.rest)
    if (kept === undefined) this.#texts.name(facts.texts ?? null)
  }

  /** Numbers that were kept, of the rows read here; NaN where a cell is missing. */
  numbers(): NumericColumn | null {
    return this.#values
  }

  get missedNumbers(): boolean {
    return missesNumbers(this.#facts, this.decided)
  }

  finish(): FinishedColumn {
    return finishColumn(this.#columnFacts(), this.#values, this.#texts, this.decided.forced)
  }

  #columnFacts(): ColumnFacts {
    const { numbers, notNumeric, infinite, coarse, distinct, manyDistinct, kept = noNumbers } = this.#facts
    const { min, max, integer, countsUp, unique } = kept
    return {
      ...{ index: this.index, name: this.decided.name, rows: this.#rows },
      ...{ numbers, infinite, notNumeric, min, max, mean: meanOf({ ...kept, numbers }) },
      missing: this.#rows - numbers - (this.#values === null ? notNumeric : 0),
      ...{ integer, countsUp, unique, distinct, manyDistinct },
      odd: this.#odd.found(numbers, infinite + notNumeric),
      ...{ written: undefined, date: undefined },
      coarse: this.#coarse.found(coarse),
    }
  }
}
