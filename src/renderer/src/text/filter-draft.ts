/** A row filter as it stands in the controls: values are still text, and some are missing. */
import type { ColumnInfo } from '@shared/dataset'
import {
  comparisons,
  isGroup,
  isRowsCondition,
  type Comparison,
  type Condition,
  type Join,
  type RowFilter,
} from '@shared/row-filter/row-filter'
import { t } from '@/i18n'

export type Operator = Comparison | Exclude<Condition['kind'], 'compare'>

export interface ConditionDraft {
  /** Unique in the draft. */
  readonly id: number
  column: string
  operator: Operator
  /** A number or a text, several with commas between them, the low end, or the numbers of rows. */
  value: string
  /** The high end. */
  high: string
}

export interface GroupDraft {
  readonly id: number
  join: Join
  conditions: ConditionDraft[]
}

export interface FilterDraft {
  join: Join
  parts: (ConditionDraft | GroupDraft)[]
}

export const operatorWords: Readonly<Record<Operator, string>> = {
  '=': '=',
  '!=': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  get between() {
    return t('rows.between')
  },
  get 'one-of'() {
    return t('rows.oneOf')
  },
  get contains() {
    return t('rows.contains')
  },
  get missing() {
    return t('rows.isMissing')
  },
  get present() {
    return t('rows.isNotMissing')
  },
  get rows() {
    return t('rows.isAmong')
  },
  get 'not-rows'() {
    return t('rows.isNotAmong')
  },
}

const ofNumbers: readonly Operator[] = [...comparisons, 'between', 'one-of', 'missing', 'present']
const ofTexts: readonly Operator[] = ['=', '!=', 'one-of', 'contains', 'missing', 'present']

type FilterColumn = Pick<ColumnInfo, 'name' | 'min' | 'categories'>

/** What can be asked of a column: of numbers their order too. */
export function operatorsOf({ categories }: FilterColumn): readonly Operator[] {
  return categories === undefined ? ofNumbers : ofTexts
}

/** Columns whose cells are kept: numbers, and few different texts. */
export function filterColumns<C extends FilterColumn>(columns: readonly C[]): readonly C[] {
  return columns.filter(({ min, categories }) => min !== null || categories !== undefined)
}

let ids = 0

export function newCondition(column: FilterColumn): ConditionDraft {
  return { id: ++ids, column: column.name, operator: '=', value: '', high: '' }
}

export function newGroup(column: FilterColumn, join: Join): GroupDraft {
  return { id: ++ids, join, conditions: [newCondition(column), newCondition(column)] }
}

export function isGroupDraft(part: FilterDraft['parts'][number]): part is GroupDraft {
  return 'conditions' in part
}

/** The draft that makes this filter again; without one, a single condition to begin with. */
export function draftOfFilter(filter: RowFilter | null, first: FilterColumn): FilterDraft {
  if (filter === null) return { join: 'all', parts: [newCondition(first)] }
  return {
    join: filter.join,
    parts: filter.parts.map((part) =>
      isGroup(part)
        ? { id: ++ids, join: part.join, conditions: part.conditions.map(draftOfCondition) }
        : draftOfCondition(part),
    ),
  }
}

/** Of rows picked in a plot; nothing of it can be typed. */
export function isRowsDraft({ operator }: ConditionDraft): boolean {
  return operator === 'rows' || operator === 'not-rows'
}

function draftOfCondition(condition: Condition): ConditionDraft {
  if (isRowsCondition(condition)) {
    const { kind, numbers } = condition
    return { id: ++ids, column: '', operator: kind, value: numbers, high: '' }
  }
  const { column } = condition
  const operator = condition.kind === 'compare' ? condition.comparison : condition.kind
  const plain = { id: ++ids, column, operator, value: '', high: '' }
  switch (condition.kind) {
    case 'compare':
      return { ...plain, value: condition.value }
    case 'between':
      return { ...plain, value: condition.low, high: condition.high }
    case 'one-of':
      return { ...plain, value: condition.values.map(listCell).join(', ') }
    case 'contains':
      return { ...plain, value: condition.text }
    default:
      return plain
  }
}

/** The filter a draft stands for; null while a value is missing in it. */
export function filterOf({ join, parts }: FilterDraft): RowFilter | null {
  const made = parts.map((part) => {
    if (!isGroupDraft(part)) return conditionOf(part)
    const conditions = part.conditions.map(conditionOf)
    const known = conditions.filter((condition) => condition !== null)
    return known.length < conditions.length || known.length === 0
      ? null
      : { join: part.join, conditions: known }
  })
  const whole = made.filter((part) => part !== null)
  return whole.length < made.length || whole.length === 0 ? null : { join, parts: whole }
}

function conditionOf({ column, operator, value, high }: ConditionDraft): Condition | null {
  const isTyped = value.trim() !== ''
  switch (operator) {
    case 'missing':
    case 'present':
      return { kind: operator, column }
    case 'rows':
    case 'not-rows':
      return { kind: operator, numbers: value }
    case 'between':
      return isTyped && high.trim() !== ''
        ? { kind: operator, column, low: value.trim(), high: high.trim() }
        : null
    case 'one-of': {
      const values = listOf(value)
      return values.length > 0 ? { kind: operator, column, values } : null
    }
    case 'contains':
      return value === '' ? null : { kind: operator, column, text: value }
    default:
      return isTyped ? { kind: 'compare', column, comparison: operator, value: value.trim() } : null
  }
}

/** Values with commas between them; one that holds a comma stands in double quotes. */
function listOf(text: string): readonly string[] {
  const items = [...text.matchAll(/\s*("(?:[^"]|"")*"|[^,]*)\s*(?:,|$)/g)].map(([, item]) =>
    (item ?? '').trim(),
  )
  return items
    .map((item) => (/^".*"$/.test(item) ? item.slice(1, -1).replaceAll('""', '"') : item))
    .filter(Boolean)
}

function listCell(value: string): string {
  return /[",]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
