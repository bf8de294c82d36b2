import type { ColumnInfo, ColumnType } from '@shared/dataset'
import { dateText, orderWords, unitWords } from '@shared/dates'
import { roleOf, type ColumnRole } from './column-role'
import { formatCount, plural } from '@shared/quantity-words'

/** Columns beyond this number are counted, not named. */
const maxNamed = 20

/** Each with its name, so that a column that is called like one of these words is not taken for it. */
const typeWords: Readonly<Record<ColumnType, (name: string) => string>> = {
  numeric: (name) => `${name} (numeric)`,
  categorical: (name) => `${name} (not numeric)`,
  text: (name) => `${name} (not numeric)`,
  constant: (name) => `${name} (constant)`,
  identifier: (name) => `${name} (identifier)`,
  date: (name) => `${name} (date)`,
}

const roleWords: Readonly<Record<ColumnRole, (name: string) => string>> = {
  weight: (name) => `${name} (named like a weight)`,
  label: (name) => `${name} (named like a label)`,
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
export function oddCells({ name, odd, date }: ColumnInfo): string[] {
  if (odd === undefined) return []
  const isDate = date !== undefined
  return [
    odd.count === 1
      ? `Column ${name}: 1 cell is no ${isDate ? 'date' : 'number'} and counts as missing, '${odd.cell}' in row ${odd.row}.`
      : `Column ${name}: ${odd.count} cells are no ${isDate ? 'dates' : 'numbers'} and count as missing, the first '${odd.cell}' in row ${odd.row}.`,
  ]
}

/** How the numbers of a feature were read that are not written plainly. */
export function writtenNumbers({ name, written }: ColumnInfo): string[] {
  if (written === undefined) return []
  const { words, row, cell, value } = written
  return [
    `Column ${name}: numbers are read ${words}, the first '${cell}' in row ${formatCount(row)} as ${value}.`,
  ]
}

/** In what order the dates of a column were read and in what unit, and what may be doubted of it. */
export function dateColumns({ name, date }: ColumnInfo): string[] {
  if (date === undefined) return []
  const { order, unit, row, cell, value, ambiguous, otherOrder } = date
  const example = `'${cell}' in row ${formatCount(row)} as ${dateText(value, unit)}`
  const read = `dates are read ${orderWords[order]}, as ${unitWords[unit]}, the first ${example}`
  const other = order === 'dmy' ? 'date-mdy (month first)' : 'date-dmy (day first)'
  if (ambiguous) {
    return [
      `Column ${name}: ${read}; none of them tells whether day or month comes first: give the column the type ${other} where it is the other way round.`,
    ]
  }
  if (otherOrder === 0) return [`Column ${name}: ${read}.`]
  const ones = otherOrder === 1 ? '1 date can only be' : `${formatCount(otherOrder)} dates can only be`
  return [
    `Column ${name}: ${read}; ${ones} meant in the other order: give the column the type date-dmy or date-mdy to take one order for all.`,
  ]
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

function whyUnused({ name, type }: ColumnInfo): string {
  const role = type === 'numeric' ? roleOf(name) : null
  return (role === null ? typeWords[type] : roleWords[role])(name)
}

/** Every column that is no feature, in one sentence: `Not used as features: species (not numeric).` */
export function unusedColumns(columns: readonly ColumnInfo[]): string[] {
  if (columns.length === 0) return []
  const named = columns.slice(0, maxNamed).map(whyUnused)
  const more = columns.length - named.length
  const rest = more > 0 ? ` and ${plural(more, 'column')} more` : ''
  return [`Not used as features: ${named.join(', ')}${rest}.`]
}
