import type { IterationStats, SessionConfig } from '../engine'
import { forgetLargestChange, LaneSum, largestChange, squaresBetween } from './lane-sum'

/** Shift of all centroids in float64 from the float32 values; a cluster whose new row is NaN adds nothing. */
export interface Shift {
  readonly squared: number
  readonly maxNorm: number
  readonly maxCoordinate: number
}

export function shiftBetween(before: Float32Array, after: Float32Array, d: number): Shift {
  const squared = new LaneSum()
  let maxSquared = 0
  forgetLargestChange()
  for (let row = 0; row < before.length; row += d) {
    // Dropped before, no number at all; dropped now, nothing.
    if (Number.isNaN(before[row])) continue
    const rowSquared = Number.isNaN(after[row]) ? 0 : squaresBetween(before, after, row, d)
    squared.add(rowSquared)
    if (rowSquared > maxSquared) maxSquared = rowSquared
  }
  return { squared: squared.total(), maxNorm: Math.sqrt(maxSquared), maxCoordinate: largestChange() }
}

/** Whether the rule of the configuration is met in this iteration (contract, step 5). */
export function ruleIsMet(
  config: Pick<SessionConfig, 'stop' | 'threshold'>,
  stats: Pick<IterationStats, 'iteration' | 'inertia' | 'changed'>,
  shift: Shift,
  previousInertia: number | null,
  n: number,
): boolean {
  const { stop, threshold } = config
  if (stop === 'none') return false
  if (shift.maxCoordinate === 0) return true
  if (stop === 'relative-shift') return shift.squared <= threshold
  if (stop === 'coordinate-shift') return shift.maxCoordinate <= threshold
  if (stop === 'labels') return stats.changed !== null && stats.changed <= threshold * n
  return previousInertia !== null && stats.inertia !== null && previousInertia - stats.inertia < threshold
}
