import { assertNever } from '@shared/assert-never'
import type { DateColumn } from '@shared/dataset'
import { secondsOfDay } from '@shared/dates'
import { LabError } from '@shared/errors'
import {
  isRowsCondition,
  type CellCondition,
  type Comparison,
  type Condition,
} from '@shared/row-filter/row-filter'
import { conditionText } from '@shared/row-filter/filter-text'
import { dateCell, secondsSince1970 } from '../csv/date-cell'
import type { CategoryColumn, Dataset, NumericColumn } from './dataset'
import { columnNamed } from './features'
import { rowsNumbered } from './rows-numbered'

/** Does a row that the columns have fulfil a condition? */
export type RowTest = (row: number) => boolean

/** The numbers from `low` to `high`; none where one of them is NaN. */
export interface NumberRange {
  readonly column: NumericColumn
  readonly low: number
  readonly high: number
}

export interface ResolvedCondition {
  readonly test: RowTest
  /** What the test comes to, where it is as simple as that. */
  readonly range?: NumberRange
}

/**
 * A condition as a test of rows.
 * @throws LabError `features.unknown`, and `filter.*` for what cannot be asked of the column: a sentence that names it
 */
export function resolveCondition(dataset: Dataset, condition: Condition): ResolvedCondition {
  if (isRowsCondition(condition)) {
    const ofAll = rowsNumbered(dataset, condition.numbers)
    const first = dataset.part?.first ?? 0
    const among = (row: number) => ofAll(first + row)
    return { test: condition.kind === 'rows' ? among : (row) => !among(row) }
  }
  const { index, name, because, date } = columnNamed(dataset, condition.column)
  const numbers = dataset.numeric[index]
  if (numbers !== undefined)
    return numberCondition(
      numbers,
      condition,
      valueReader(condition, dataset.file.name, date),
      dataset.file.name,
    )
  const texts = dataset.categories?.[index]
  if (texts !== undefined) return { test: textTest(texts, condition, dataset.file.name) }
  throw new LabError(
    'input',
    'filter.many-texts',
    `Rows of ${dataset.file.name} cannot be filtered by column '${name}', whose texts are not kept (${because}): take a column of numbers or of few different texts.`,
  )
}

/** Reads a value of a condition as a number. */
type ValueReader = (text: string) => number

function numberCondition(
  column: NumericColumn,
  condition: CellCondition,
  valueOf: ValueReader,
  file: string,
): ResolvedCondition {
  switch (condition.kind) {
    case 'missing':
      return { test: (row) => Number.isNaN(column.at(row)) }
    case 'present':
      return within(column, -Infinity, Infinity)
    case 'compare':
      return comparisonWith(column, condition.comparison, valueOf(condition.value))
    case 'between': {
      const [low, high] = [condition.low, condition.high].map(valueOf)
      return within(column, low, high)
    }
    case 'one-of': {
      const values = new Set(condition.values.map(valueOf))
      return { test: (row) => values.has(column.at(row)) }
    }
    case 'contains':
      throw unfit(condition, file, 'is of texts, and the column holds numbers', 'compare with a number')
    default:
      return assertNever(condition, 'condition')
  }
}

/** Of a missing cell, NaN, nothing is true. */
function comparisonWith(column: NumericColumn, comparison: Comparison, value: number): ResolvedCondition {
  switch (comparison) {
    case '=':
      return within(column, value, value)
    case '!=':
      return {
        test: (row) => {
          const cell = column.at(row)
          return cell < value || cell > value
        },
      }
    case '<':
      return within(column, -Infinity, -nextAbove(-value))
    case '<=':
      return within(column, -Infinity, value)
    case '>':
      return within(column, nextAbove(value), Infinity)
    case '>=':
      return within(column, value, Infinity)
    default:
      return assertNever(comparison, 'comparison')
  }
}

function within(column: NumericColumn, low: number, high: number): ResolvedCondition {
  const test = (row: number) => {
    const cell = column.at(row)
    return cell >= low && cell <= high
  }
  return { test, range: { column, low, high } }
}

const double = new Float64Array(1)
const doubleBits = new BigInt64Array(double.buffer)

/** The least float64 above a value; NaN above all. */
function nextAbove(value: number): number {
  if (value === Infinity) return NaN
  // -0 is 0.
  double[0] = value + 0
  doubleBits[0] += double[0] < 0 ? -1n : 1n
  return double[0]
}

function valueReader(condition: Condition, file: string, date: DateColumn | undefined): ValueReader {
  return (text) => {
    const value = filterNumber(text, date)
    if (value !== null) return value
    if (date === undefined) {
      throw unfit(
        condition,
        file,
        `has '${text}', which is no number`,
        'write one with a decimal point, like 1234.5',
      )
    }
    throw unfit(
      condition,
      file,
      `has '${text}', which is no date`,
      'write one like 2024-01-31 or "2024-01-31 12:30"',
    )
  }
}

/** A value of a condition on a column of numbers or dates; null for none. */
export function filterNumber(text: string, date: DateColumn | undefined): number | null {
  return numberOf(text) ?? (date === undefined ? null : dateValue(text, date))
}

function numberOf(text: string): number | null {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : null
}

/** Year first, or as the column has its dates. */
function dateValue(text: string, { order, unit }: DateColumn): number | null {
  const cell = dateCell(text)
  const seconds = cell && secondsSince1970(cell, cell.isYearFirst ? 'ymd' : order)
  return seconds !== null && unit === 'days' ? seconds / secondsOfDay : seconds
}

/** Each text is judged once. */
function textTest(column: CategoryColumn, condition: CellCondition, file: string): RowTest {
  if (condition.kind === 'missing') return (row) => column.at(row) < 0
  if (condition.kind === 'present') return (row) => column.at(row) >= 0
  const fulfils = column.values.map(textJudge(condition, file))
  return (row) => fulfils[column.at(row)] ?? false
}

function textJudge(
  condition: Exclude<CellCondition, { kind: 'missing' | 'present' }>,
  file: string,
): (text: string) => boolean {
  switch (condition.kind) {
    case 'compare': {
      const value = condition.value.trim()
      if (condition.comparison === '=') return (text) => text === value
      if (condition.comparison === '!=') return (text) => text !== value
      throw ofNumbersOnly(condition, file)
    }
    case 'between':
      throw ofNumbersOnly(condition, file)
    case 'one-of': {
      const values = new Set(condition.values.map((value) => value.trim()))
      return (text) => values.has(text)
    }
    case 'contains':
      return (text) => text.includes(condition.text)
    default:
      return assertNever(condition, 'condition')
  }
}

function ofNumbersOnly(condition: Condition, file: string): LabError {
  return unfit(condition, file, 'orders numbers, and the column holds texts', 'use =, !=, in or contains')
}

function unfit(condition: Condition, file: string, what: string, remedy: string): LabError {
  const message = `The condition ${conditionText(condition)} on ${file} ${what}: ${remedy}.`
  return new LabError('input', 'filter.condition', message)
}
