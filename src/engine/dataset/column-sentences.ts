import type { ColumnInfo, ColumnType } from '@shared/dataset'
import { formatCount, plural } from '@shared/quantity-words'

/** Columns beyond this number are counted, not named. */
const maxNamed = 20

const typeWords: Readonly<Record<ColumnType, string>> = {
  numeric: 'numeric',
  categorical: 'not numeric',
  text: 'not numeric',
  constant: 'constant',
  identifier: 'identifier',
}

/** Is it no number column, though a notable share of its cells look like numbers? */
export function missesItsNumbers({ odd, min }: ColumnInfo): boolean {
  return min === null && odd?.likeNumbers === true
}

/** A column that is left out though it seems to be meant as numbers: with a cell, its row, and what to do. */
export function lostColumn({ name, odd }: ColumnInfo): string[] {
  if (odd === undefined) return []
  return [
    `Column ${name} is left out, because its cells are no plain numbers, such as '${odd.cell}' in row ${odd.row}: write them like 1234.5 and open the file again.`,
  ]
}

/** Cells of a feature that count as missing though something stands in them. */
export function oddCells({ name, odd }: ColumnInfo): string[] {
  if (odd === undefined) return []
  const cells =
    odd.count === 1 ? '1 cell is no number and counts' : `${odd.count} cells are no numbers and count`
  const first = odd.count === 1 ? '' : 'the first '
  return [`Column ${name}: ${cells} as missing, ${first}'${odd.cell}' in row ${odd.row}.`]
}

/** Whole numbers of a feature that float64 rounds: the first of them, and what to do. */
export function coarseNumbers({ name, coarse }: ColumnInfo): string[] {
  if (coarse === undefined) return []
  const { count, step, row, cell } = coarse
  const numbers = count === 1 ? '1 whole number has' : `${formatCount(count)} whole numbers have`
  const first = count === 1 ? '' : 'the first '
  return [
    `Column ${name}: ${numbers} more digits than float64 holds, ${first}${cell} in row ${formatCount(row)}; two that differ by less than ${step} may become the same: subtract a common offset in the file, or write fewer digits.`,
  ]
}

/** Every column that is no feature, in one sentence: `Not used as features: species (not numeric).` */
export function unusedColumns(columns: readonly ColumnInfo[]): string[] {
  if (columns.length === 0) return []
  const named = columns.slice(0, maxNamed).map(({ name, type }) => `${name} (${typeWords[type]})`)
  const more = columns.length - named.length
  const rest = more > 0 ? ` and ${plural(more, 'column')} more` : ''
  return [`Not used as features: ${named.join(', ')}${rest}.`]
}
