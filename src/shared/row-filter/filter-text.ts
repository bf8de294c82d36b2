import { assertNever } from '../assert-never'
import { countInRanges, parseRowRanges } from './row-ranges'
import {
  isGroup,
  isRowsCondition,
  type Condition,
  type Join,
  type RowFilter,
  type RowsCondition,
} from './row-filter'

/** Words that mean something of their own unless they are quoted. */
export const filterWords = ['and', 'or', 'is', 'not', 'missing', 'between', 'in', 'contains'] as const

/** What ends a word that is not quoted. */
export const endsWord = /[\s()=<>!≠≤≥,"']/

/** A filter as `--filter` takes it: `height > 1.5 and (class = a or class = b)`. `parseFilter` gives the same back. */
export function filterText(filter: RowFilter): string {
  return textOf(filter, conditionText)
}

/** Row numbers shown at most; of more only how many there are is said. */
const maxNumbersShown = 40

/**
 * The same for the eye: long lists of row numbers are counted.
 * @param pickedText says of a condition on picked rows how many they are
 */
export function shortFilterText(filter: RowFilter, pickedText: typeof shortRowsText = shortRowsText): string {
  return textOf(filter, (one) => {
    const ranges = isRowsCondition(one) ? parseRowRanges(one.numbers) : null
    return isRowsCondition(one) && ranges !== null
      ? pickedText(one, countInRanges(ranges))
      : conditionText(one)
  })
}

function textOf({ join, parts }: RowFilter, condition: (one: Condition) => string): string {
  const texts = parts.map((part) => {
    if (!isGroup(part)) return condition(part)
    const inside = joined(part.join, part.conditions.map(condition))
    return parts.length > 1 && part.conditions.length > 1 ? `(${inside})` : inside
  })
  return joined(join, texts)
}

function shortRowsText(condition: RowsCondition, count: number): string {
  if (condition.numbers.length <= maxNumbersShown) return conditionText(condition)
  return `${condition.kind === 'rows' ? '' : 'not '}rows(${count} of them)`
}

function joined(join: Join, texts: readonly string[]): string {
  return texts.join(join === 'all' ? ' and ' : ' or ')
}

export function conditionText(condition: Condition): string {
  if (isRowsCondition(condition)) {
    return `${condition.kind === 'rows' ? '' : 'not '}rows(${condition.numbers})`
  }
  const column = word(condition.column)
  switch (condition.kind) {
    case 'compare':
      return `${column} ${condition.comparison} ${word(condition.value)}`
    case 'between':
      return `${column} between ${word(condition.low)} and ${word(condition.high)}`
    case 'one-of':
      return `${column} in (${condition.values.map(word).join(', ')})`
    case 'contains':
      return `${column} contains ${word(condition.text)}`
    case 'missing':
      return `${column} is missing`
    case 'present':
      return `${column} is not missing`
    default:
      return assertNever(condition, 'condition')
  }
}

/** Quoted where it would be cut or taken for something else. */
function word(text: string): string {
  const isPlain =
    text !== '' && !endsWord.test(text) && !filterWords.some((one) => one === text.toLowerCase())
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}
