import type { IterationRow } from '@shared/run-record'

/** Columns of history.csv (spec section 6), in order. */
export const historyColumns = [
  'run',
  'iteration',
  'inertia',
  'max_shift',
  'changed',
  'assign_ms',
  'update_ms',
  'converge_ms',
  'total_ms',
] as const

/**
 * One iteration as the values of history.csv: inertia and shift in units of the scaled data, times in
 * milliseconds, null where something was not counted or could not be timed apart.
 */
export function historyValues(row: IterationRow): readonly (number | null)[] {
  return [
    row.run,
    row.iteration,
    row.inertia,
    row.maxShift,
    row.changed,
    row.assignMs,
    row.updateMs,
    row.convergeMs,
    row.totalMs,
  ]
}
