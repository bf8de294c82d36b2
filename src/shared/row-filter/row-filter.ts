/** How a cell is compared with a value; `<` and its like of numbers only. */
export const comparisons = ['=', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof comparisons)[number]

/**
 * What must hold of the cell of a row. Columns go by name, values are as a person writes them: of a column of numbers
 * they are read as numbers with a decimal point, of any other they are texts. A missing cell fulfils `missing` alone.
 */
export type Condition =
  | {
      readonly kind: 'compare'
      readonly column: string
      readonly comparison: Comparison
      readonly value: string
    }
  /** Both ends included. */
  | { readonly kind: 'between'; readonly column: string; readonly low: string; readonly high: string }
  | { readonly kind: 'one-of'; readonly column: string; readonly values: readonly string[] }
  /** Of texts; case counts. */
  | { readonly kind: 'contains'; readonly column: string; readonly text: string }
  | { readonly kind: 'missing'; readonly column: string }
  | { readonly kind: 'present'; readonly column: string }
  /** Of the row itself: its number in the file is among `numbers` (row-ranges.ts), or is not. */
  | { readonly kind: 'rows' | 'not-rows'; readonly numbers: string }

export const joins = ['all', 'any'] as const
/** Whether all of some conditions must hold, or one of them. */
export type Join = (typeof joins)[number]

export interface ConditionGroup {
  readonly join: Join
  readonly conditions: readonly Condition[]
}

/** Which rows are kept: conditions, and groups of them at most one deep. */
export interface RowFilter {
  readonly join: Join
  readonly parts: readonly (Condition | ConditionGroup)[]
}

/** More of them nobody reads. */
export const maxConditions = 1000

/** A condition on the cell of a column. */
export type CellCondition = Extract<Condition, { column: string }>
/** A condition on the number of a row. */
export type RowsCondition = Exclude<Condition, CellCondition>

export function isRowsCondition(condition: Condition): condition is RowsCondition {
  return condition.kind === 'rows' || condition.kind === 'not-rows'
}

export function isGroup(part: RowFilter['parts'][number]): part is ConditionGroup {
  return 'join' in part
}
