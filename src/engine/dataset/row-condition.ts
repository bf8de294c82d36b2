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

/**
 * A condition as a test of rows.
 * @throws LabError `features.unknown`, and `filter.*` for what cannot be asked of the column: a sentence that names it
 */
export function resolveCondition(dataset: Dataset, condition: Condition): RowTest {
  if (isRowsCondition(condition)) {
    const ofAll = rowsNumbered(dataset, condition.numbers)
    const first = dataset.part?.first ?? 0
    const among = (row: number) => ofAll(first + row)
    return condition.kind === 'rows' ? among : (row) => !among(row)
  }
  const { index, name, because, date } = columnNamed(dataset, condition.column)
  const numbers = dataset.numeric[index]
  if (numbers !== undefined)
    return numberTest(numbers, condition, valueReader(condition, dataset.file.name, date), dataset.file.name)
  const texts = dataset.categories?.[index]
  if (texts !== undefined) return textTest(texts, condition, dataset.file.name)
  throw new LabError(
    'input',
    'filter.many-texts',
    `Rows of ${dataset.file.name} cannot be filtered by column '${name}', whose texts are not kept (${because}): take a column of numbers or of few different texts.`,
  )
}

/** Reads a value of a condition as a number. */
type ValueReader = (text: string) => number

function numberTest(
  column: NumericColumn,
  condition: CellCondition,
  valueOf: ValueReader,
  file: string,
): RowTest {
  switch (condition.kind) {
    case 'missing':
      return (row) => Number.isNaN(column.at(row))
    case 'present':
      return (row) => !Number.isNaN(column.at(row))
    case 'compare': {
      const compare = comparisonWith(condition.comparison, valueOf(condition.value))
      return (row) => compare(column.at(row))
    }
    case 'between': {
      const [low, high] = [condition.low, condition.high].map(valueOf)
      return (row) => column.at(row) >= low && column.at(row) <= high
    }
    case 'one-of': {
      const values = new Set(condition.values.map(valueOf))
      return (row) => values.has(column.at(row))
    }
    case 'contains':
      throw unfit(condition, file, 'is of texts, and the column holds numbers', 'compare with a number')
    default:
      return assertNever(condition, 'condition')
  }
}

/** Of a missing cell, NaN, nothing is true. */
function comparisonWith(comparison: Comparison, value: number): (cell: number) => boolean {
  switch (comparison) {
    case '=':
      return (cell) => cell === value
    case '!=':
      return (cell) => cell < value || cell > value
    case '<':
      return (cell) => cell < value
    case '<=':
      return (cell) => cell <= value
    case '>':
      return (cell) => cell > value
    case '>=':
      return (cell) => cell >= value
    default:
      return assertNever(comparison, 'comparison')
  }
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
