import { assertNever } from '@shared/assert-never'
import { parseRowRanges } from '@shared/row-filter/row-ranges'
import {
  isGroup,
  isRowsCondition,
  type CellCondition,
  type Condition,
  type RowFilter,
} from '@shared/row-filter/row-filter'
import { filterNumber } from '../../dataset/row-condition'
import type { Dataset } from '../../dataset/dataset'
import { columnNamed } from '../../dataset/features'
import { list, number, text } from './python-text'

/** Columns of the file that a filter asks for, each once. */
export function filterColumns(dataset: Dataset, filter: RowFilter): readonly number[] {
  const conditions = filter.parts.flatMap((part) => (isGroup(part) ? part.conditions : [part]))
  const cells = conditions.filter((one): one is CellCondition => !isRowsCondition(one))
  return [...new Set(cells.map(({ column }) => columnNamed(dataset, column).index))]
}

/** A filter as a Python expression over `column(...)` and `row_numbers`: (rows) truth values. */
export function filterExpression(dataset: Dataset, { join, parts }: RowFilter): string {
  const texts = parts.map((part) =>
    isGroup(part)
      ? joined(
          part.join,
          part.conditions.map((one) => condition(dataset, one)),
        )
      : condition(dataset, part),
  )
  return joined(join, texts)
}

function joined(join: RowFilter['join'], texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]
  return `(${texts.join(join === 'all' ? ' & ' : ' | ')})`
}

function condition(dataset: Dataset, one: Condition): string {
  if (isRowsCondition(one)) {
    const among = `among(row_numbers, ${ranges(one.numbers)})`
    return one.kind === 'rows' ? among : `~${among}`
  }
  const { index, date } = columnNamed(dataset, one.column)
  const cells = `column(${index})`
  const isOfNumbers = dataset.numeric[index] !== undefined
  const value = (written: string) =>
    isOfNumbers ? number(filterNumber(written, date) ?? NaN) : text(written.trim())
  switch (one.kind) {
    case 'missing':
      return `missing(${cells})`
    case 'present':
      return `~missing(${cells})`
    case 'compare': {
      const comparison = one.comparison === '=' ? '==' : one.comparison
      return `(~missing(${cells}) & (${cells} ${comparison} ${value(one.value)}))`
    }
    case 'between':
      return `((${cells} >= ${value(one.low)}) & (${cells} <= ${value(one.high)}))`
    case 'one-of':
      return `np.isin(${cells}, [${one.values.map(value).join(', ')}])`
    case 'contains':
      return `(np.char.find(${cells}.astype(str), ${text(one.text)}) >= 0)`
    default:
      return assertNever(one, 'condition')
  }
}

function ranges(numbers: string): string {
  const { first, last } = parseRowRanges(numbers) ?? { first: [], last: [] }
  return `${list([...first])}, ${list([...last])}`
}
