/** Rows that were picked in a plot or in the table, kept or left out by the filter of the settings. */
import {
  isGroup,
  isRowsCondition,
  type Condition,
  type ConditionGroup,
  type RowFilter,
  type RowsCondition,
} from '@shared/row-filter/row-filter'
import { parseRowRanges, rangesIntersection, rangesUnion, textOfRanges } from '@shared/row-filter/row-ranges'

/**
 * A filter that keeps what the one before keeps, and of that only rows with these numbers in the file (`rows`), or all others
 * (`not-rows`).
 */
export function withPickedRows(
  filter: RowFilter | null,
  kind: RowsCondition['kind'],
  numbers: string,
): RowFilter {
  const picked: RowsCondition = { kind, numbers }
  if (filter === null) return { join: 'all', parts: [picked] }
  if (filter.join === 'all' || filter.parts.length === 1) {
    return { join: 'all', parts: joinedWith(filter.parts, picked) }
  }
  const conditions = filter.parts.filter((part): part is Condition => !isGroup(part))
  if (conditions.length === filter.parts.length) return { join: 'all', parts: [{ join: 'any', conditions }, picked] }
  // Groups are one deep: what holds of all of them is said in each.
  return { join: 'any', parts: filter.parts.flatMap((part) => eachWith(part, picked)) }
}

/** Two conditions of one kind become one. */
function joinedWith(parts: RowFilter['parts'], picked: RowsCondition): RowFilter['parts'] {
  const alike = parts.find(
    (part): part is RowsCondition => !isGroup(part) && isRowsCondition(part) && part.kind === picked.kind,
  )
  if (alike === undefined) return [...parts, picked]
  const [a, b] = [parseRowRanges(alike.numbers), parseRowRanges(picked.numbers)]
  if (a === null || b === null) return [...parts, picked]
  const both = picked.kind === 'rows' ? rangesIntersection(a, b) : rangesUnion(a, b)
  // Nothing in both: the two side by side keep nothing, and say why.
  if (both.first.length === 0) return [...parts, picked]
  return parts.map((part) => (part === alike ? { ...picked, numbers: textOfRanges(both) } : part))
}

function eachWith(part: Condition | ConditionGroup, picked: RowsCondition): ConditionGroup[] {
  if (!isGroup(part)) return [{ join: 'all', conditions: [part, picked] }]
  if (part.join === 'all') return [{ join: 'all', conditions: [...part.conditions, picked] }]
  return part.conditions.map((condition) => ({ join: 'all', conditions: [condition, picked] }))
}
