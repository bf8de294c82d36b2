import type { CoarseNumbers, OddCells } from '@shared/dataset'

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
}
