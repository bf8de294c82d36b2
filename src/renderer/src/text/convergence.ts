/** How many iterations a run will still need, from how its stop rule's quantity has fallen so far. */
import type { StopRule } from '@shared/run-config'
import type { IterationRow } from '@shared/run-record'

/** Rows that a trend is taken from: the newest half, within these bounds. */
const minRows = 6
const maxRows = 32
/** Rows that are enough to see the trend from. */
export const recentRows = 2 * maxRows
/** A slope is believed when it is this many standard errors below zero. */
const minCertainty = 3
/** A trend is not carried on beyond this many times the iterations it was seen for. */
const farthest = 4
/** Where no point may change its cluster, the rule is met somewhere between one point and none. */
const halfPoint = 0.5

interface Sample {
  readonly iteration: number
  readonly value: number
}

/** What each rule compares with its threshold; null where the rows do not show it. */
const quantities: Readonly<
  Record<StopRule, (row: IterationRow, before: IterationRow | undefined) => number | null>
> = {
  'relative-shift': ({ shiftSquared }) => shiftSquared,
  // The longest way of a centroid is at least that of any of its coordinates.
  'coordinate-shift': ({ maxShift }) => maxShift,
  inertia: gain,
  labels: ({ changed }) => changed,
  none: () => null,
}

/** An iteration's share of the gain since the row before it, which may lie several iterations back. */
function gain(row: IterationRow, before: IterationRow | undefined): number | null {
  if (before === undefined || row.inertia === null || before.inertia === null) return null
  return (before.inertia - row.inertia) / (row.iteration - before.iteration)
}

/**
 * Iterations left until the quantity of the rule has fallen to `threshold`: the logarithm of its last values,
 * carried on along its line of least squares. At least 1; null where there is no trend to trust.
 * @param rows of one restart, in order; not necessarily every iteration
 * @param threshold in the units of the rows; 0 has no logarithm, so only `labels` can be told then
 */
export function iterationsToThreshold(
  rows: readonly IterationRow[],
  stop: StopRule,
  threshold: number | null,
): number | null {
  const target = stop === 'labels' ? Math.max(threshold ?? 0, halfPoint) : (threshold ?? 0)
  const last = rows.at(-1)
  if (target <= 0 || last === undefined) return null
  const samples = samplesOf(rows, quantities[stop])
  const line = lineThrough(samples)
  if (line === null) return null
  const left = Math.ceil((Math.log(target) - line.at(last.iteration)) / line.slope)
  return left > farthest * last.iteration ? null : Math.max(1, left)
}

function samplesOf(
  rows: readonly IterationRow[],
  quantity: (typeof quantities)[StopRule],
): readonly Sample[] {
  const wanted = Math.min(maxRows, Math.max(minRows, Math.ceil(rows.length / 2)))
  const start = Math.max(0, rows.length - wanted)
  return rows.slice(start).flatMap((row, i) => {
    const value = quantity(row, rows[start + i - 1])
    return value !== null && value > 0 ? [{ iteration: row.iteration, value: Math.log(value) }] : []
  })
}

interface Line {
  /** Below zero. */
  readonly slope: number
  at(iteration: number): number
}

/** Least squares; null for too few samples, or a slope that may as well be none. */
function lineThrough(samples: readonly Sample[]): Line | null {
  const n = samples.length
  if (n < minRows) return null
  const x = samples.reduce((sum, { iteration }) => sum + iteration, 0) / n
  const y = samples.reduce((sum, { value }) => sum + value, 0) / n
  const spread = samples.reduce((sum, { iteration }) => sum + (iteration - x) ** 2, 0)
  const slope = samples.reduce((sum, { iteration, value }) => sum + (iteration - x) * (value - y), 0) / spread
  const at = (iteration: number) => y + slope * (iteration - x)
  const rest = samples.reduce((sum, { iteration, value }) => sum + (value - at(iteration)) ** 2, 0)
  const error = Math.sqrt(rest / (n - 2) / spread)
  return slope < 0 && -slope > minCertainty * error ? { slope, at } : null
}
