import { assertNever } from '../assert-never'
import { isGroup, type Condition, type Join, type RowFilter } from './row-filter'

/** Words that mean something of their own unless they are quoted. */
export const filterWords = ['and', 'or', 'is', 'not', 'missing', 'between', 'in', 'contains'] as const

/** What ends a word that is not quoted. */
export const endsWord = /[\s()=<>!≠≤≥,"']/

/** A filter as `--filter` takes it: `height > 1.5 and (class = a or class = b)`. `parseFilter` gives the same back. */
export function filterText({ join, parts }: RowFilter): string {
  const texts = parts.map((part) => {
    if (!isGroup(part)) return conditionText(part)
    const inside = joined(part.join, part.conditions.map(conditionText))
    return parts.length > 1 && part.conditions.length > 1 ? `(${inside})` : inside
  })
  return joined(join, texts)
}

function joined(join: Join, texts: readonly string[]): string {
  return texts.join(join === 'all' ? ' and ' : ' or ')
}

export function conditionText(condition: Condition): string {
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
