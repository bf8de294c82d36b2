import type { CoarseNumbers, DateColumn, OddCells, WrittenNumbers } from '@shared/dataset'

/** Facts gathered over all rows of one column. */
export interface ColumnFacts {
  readonly index: number
  readonly name: string
  readonly rows: number
  readonly numbers: number
  readonly missing: number
  readonly infinite: number
  readonly notNumeric: number
  readonly min: number
  readonly max: number
  readonly mean: number
  readonly integer: boolean
  /** Each number is the one before plus one. */
  readonly countsUp: boolean
  /** No number was seen twice; watched only under the name of an identifier. */
  readonly unique: boolean
  /** Distinct texts, at most `maxDistinct`. */
  readonly distinct: number
  readonly manyDistinct: boolean
  readonly odd: OddCells | undefined
  readonly coarse: CoarseNumbers | undefined
  readonly written: WrittenNumbers | undefined
  readonly date: DateColumn | undefined
}

/** Of numbers that add up to `sum`; of such that add up to more than a float64 holds, the middle between both ends. */
export function meanOf({
  sum,
  numbers,
  min,
  max,
}: Pick<ColumnFacts, 'numbers' | 'min' | 'max'> & { readonly sum: number }): number {
  return Number.isFinite(sum) ? sum / numbers : min / 2 + max / 2
}
