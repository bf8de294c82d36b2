import { assertNever } from '@shared/assert-never'
import { toleranceOf, type RunConfig } from '@shared/run-config'
import type { IterationRow } from '@shared/run-record'
import type { PreparedPoints } from '../dataset/prepared'
import type { IterationStats } from '../engines/engine'

/** Squared quantities: engine units -> units of the scaled data. */
export function toScaledSquare(value: number, exponent: number): number {
  return value * 2 ** exponent * 2 ** exponent
}

/**
 * The tolerance as an engine compares it (SessionConfig.threshold). Scaled data are engine values times
 * 2^exponent, so a length shrinks by that power and a square by its square; a share of labels has no unit.
 */
export function thresholdFor(
  config: Pick<RunConfig, 'stop' | 'tolerance'>,
  { exponent, meanVariance }: Pick<PreparedPoints, 'exponent' | 'meanVariance'>,
): number {
  const tolerance = toleranceOf(config)
  const square = (value: number) => value * 2 ** -exponent * 2 ** -exponent
  switch (config.stop) {
    case 'relative-shift':
      return square(tolerance * meanVariance)
    case 'inertia':
      return square(tolerance)
    case 'coordinate-shift':
      return tolerance * 2 ** -exponent
    case 'labels':
      return tolerance
    case 'none':
      return 0
    default:
      return assertNever(config.stop, 'stop rule')
  }
}

/**
 * What the quantity of the stop rule must fall to, in the units of the rows that are shown: of `shiftSquared`, of
 * the largest shift of a coordinate, of the gain in inertia, of the points that changed label; 0 for `none`.
 */
export function ruleThreshold(
  config: Pick<RunConfig, 'stop' | 'tolerance'>,
  { n, meanVariance }: Pick<PreparedPoints, 'n' | 'meanVariance'>,
): number {
  const tolerance = toleranceOf(config)
  switch (config.stop) {
    case 'relative-shift':
      return tolerance * meanVariance
    case 'labels':
      return tolerance * n
    case 'inertia':
    case 'coordinate-shift':
      return tolerance
    case 'none':
      return 0
    default:
      return assertNever(config.stop, 'stop rule')
  }
}

/** An iteration as it is shown: units of the scaled data. */
export function toRow(stats: IterationStats, run: number, exponent: number): IterationRow {
  return {
    run,
    iteration: stats.iteration,
    // From cluster sums an inertia of zero may come out a rounding below it.
    inertia: stats.inertia === null ? null : Math.max(0, toScaledSquare(stats.inertia, exponent)),
    maxShift: stats.maxShift * 2 ** exponent,
    shiftSquared: toScaledSquare(stats.shiftSquared, exponent),
    changed: stats.changed,
    emptyClusters: stats.emptyClusters,
    assignMs: stats.assignMs,
    updateMs: stats.updateMs,
    convergeMs: stats.convergeMs,
    iterateMs: stats.iterateMs,
    totalMs: stats.totalMs,
  }
}
