import { bootstrapInterval, levelOf, type Interval } from './bootstrap'
import type { Measurement } from './document'
import { medianOf } from './statistics'
import { t } from '../locale/translate'

/** An interval at a lower level decides nothing: five repeats reach 94 %, three only 75 %. */
export const minLevel = 0.9

/** What is said wherever a claim would go further than the repeats. */
export const undecided = (): string => t('benchmark-tables.inconclusive')
export const undecidedLocation = (): string => t('benchmark-tables.whereExactlyIsInconclusive')

/** Whether the repeats decide which of the two is faster, given the interval of the ratio of their times. */
export function isDecided(interval: Interval | null): boolean {
  return whyUndecided(interval) === null
}

/** Why a ratio is not decided, without a full stop; null where it is. */
export function whyUndecided(interval: Interval | null): string | null {
  if (interval === null) return t('benchmark-tables.oneRepeatGivesNoInterval')
  const level = Math.round(100 * interval.level)
  if (interval.level < minLevel) return t('benchmark-tables.soFewRepeatsGiveAnInterval', [level])
  return interval.low <= 1 && interval.high >= 1 ? t('benchmark-tables.theIntervalHolds1', [level]) : null
}

type Timed = Pick<Measurement, 'totalsMs' | 'iterations'>

/** Whether the ratio of two times compares like with like: iterations within a tenth of those of the second. */
export function isLikeWork(row: Timed, base: Timed): boolean {
  return Math.abs(row.iterations - base.iterations) <= base.iterations / 10
}

/** Whether the repeats decide that the first times are the shorter ones; times in any order. */
export function isFaster(fast: readonly number[], slow: readonly number[]): boolean {
  const level = levelOf(Math.min(fast.length, slow.length))
  if (level < minLevel) return false
  // Resampled medians stay between least and most, so what lies apart needs no resampling.
  if (Math.max(...fast) < Math.min(...slow)) return true
  if (medianOf(fast) >= medianOf(slow)) return false
  return isDecided(
    bootstrapInterval([slow, fast], ([slower, faster]) => (faster === 0 ? Infinity : slower / faster)),
  )
}

/** The one among rows that count that the repeats decide to be faster than each other one at like work; null for none. */
export function decidedFastest<Row extends Timed>(rows: readonly Row[]): Row | null {
  if (rows.length < 2) return null
  const medians = rows.map(({ totalsMs }) => medianOf(totalsMs))
  const best = rows[medians.indexOf(Math.min(...medians))]
  const ahead = rows.every(
    (row) => row === best || (isLikeWork(best, row) && isFaster(best.totalsMs, row.totalsMs)),
  )
  return ahead ? best : null
}
