import type { ColumnInfo, GivenType } from '@shared/dataset'
import type { CategoryBlocks } from '../dataset/category-blocks'
import type { CategoryColumn, NumericColumn } from '../dataset/dataset'
import type { NumberBlocks } from '../dataset/number-blocks'
import type { Room } from '../scratch/room'
import type { ColumnFacts } from './column-facts'
import { describeColumn } from './column-type'

/** What is decided about a column before its rows are read. */
export interface DecidedColumn {
  readonly index: number
  readonly name: string
  readonly forced: GivenType | undefined
  /** The file says that it holds texts. */
  readonly isText: boolean
  readonly keepsNumbers: boolean
  readonly decimal: '.' | ','
  /** Where its numbers are kept; absent: in memory. */
  readonly room: Room | undefined
}

/** What a column came to. */
export interface FinishedColumn {
  readonly info: ColumnInfo
  readonly numeric: NumericColumn | undefined
  readonly categories: CategoryColumn | undefined
}

/** A column while its rows are read. */
export interface GrowingColumn {
  readonly index: number
  /** Most of its cells are numbers, and none was kept, because those of the first block are not. */
  readonly missedNumbers: boolean
  finish(): FinishedColumn
}

export function missesNumbers(
  { numbers, notNumeric }: Pick<ColumnFacts, 'numbers' | 'notNumeric'>,
  { keepsNumbers, forced, isText }: Pick<DecidedColumn, 'keepsNumbers' | 'forced' | 'isText'>,
): boolean {
  return !keepsNumbers && forced === undefined && !isText && numbers > 0 && numbers >= notNumeric
}

/** @param values its numbers, where they are kept @param texts its texts, where they are not */
export function finishColumn(
  facts: ColumnFacts,
  values: Pick<NumberBlocks, 'finish'> | null,
  texts: CategoryBlocks,
  forced: GivenType | undefined,
): FinishedColumn {
  const categories = values === null ? texts.finish() : undefined
  const described = describeColumn(facts, values !== null, forced)
  const info = { ...described, ...(categories && { categories: categories.values.length }) }
  const keeps = facts.numbers > 0 && info.type !== 'text' && info.type !== 'categorical'
  if (!keeps || values === null) return { info, numeric: undefined, categories }
  return { info, numeric: values.finish(), categories: undefined }
}
