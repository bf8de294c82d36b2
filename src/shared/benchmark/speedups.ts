import { plural } from '../quantity-words'
import { afterColon } from './after-colon'
import { bootstrapInterval, type Interval } from './bootstrap'
import { rowAt, whyNotCounted } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { ratioFromMade } from './scaled'
import { medianOf } from './statistics'
import { isLikeWork } from './verdict'
import { t } from '../locale/translate'

/** How many times faster than the baseline a contender was on one dataset with one k. */
export interface Speedup {
  readonly row: Measurement
  /** Key of the contender it refers to. */
  readonly baseline: string
  /** Median of the baseline divided by the median of the contender; null where one of them does not count. */
  readonly speedup: number | null
  /**
   * Of the ratio of medians, by `bootstrapInterval`; null with fewer than two repeats and for the baseline itself.
   * Whether it decides anything: `isDecided`.
   */
  readonly interval: Interval | null
  /** One sentence: why there is no speed-up; null when there is one. */
  readonly reason: string | null
  /** How the two times were scaled, e.g. `from 10 of 50 iterations`; null where both are as measured. */
  readonly scaled: string | null
}

/** One entry for each row of the document, in its order. */
export function speedupsOf(
  document: BenchmarkDocument,
  baseline: string = document.suite.baseline,
): readonly Speedup[] {
  return document.rows.map((row) => speedupOf(row, rowAt(document, row, baseline), baseline))
}

/** A table is made anew whenever a row is done, and most rows are old. */
const known = new WeakMap<Measurement, { readonly base: Measurement | undefined; readonly found: Speedup }>()

function speedupOf(row: Measurement, base: Measurement | undefined, baseline: string): Speedup {
  const before = known.get(row)
  if (before !== undefined && before.base === base && before.found.baseline === baseline) return before.found
  const scaled = base === undefined ? null : ratioFromMade(row, base)
  const found = { row, baseline, scaled, ...compare(row, base, baseline) }
  known.set(row, { base, found })
  return found
}

type Compared = Pick<Speedup, 'speedup' | 'interval' | 'reason'>

function compare(row: Measurement, base: Measurement | undefined, baseline: string): Compared {
  const fault = whyNotCounted(row) ?? baselineFault(base, row, baseline)
  if (fault !== null || base === undefined) return { speedup: null, interval: null, reason: fault }
  if (base === row) return { speedup: 1, interval: null, reason: null }
  if (!isLikeWork(row, base))
    return { speedup: null, interval: null, reason: t('benchmark-tables.it', [otherWork(row, base)]) }
  const speedup = medianOf(base.totalsMs) / medianOf(row.totalsMs)
  if (!Number.isFinite(speedup) || speedup === 0) {
    return { speedup: null, interval: null, reason: t('benchmark-tables.theTimesAreTooShortFor') }
  }
  const interval = bootstrapInterval([base.totalsMs, row.totalsMs], ([slow, fast]) =>
    fast === 0 ? Infinity : slow / fast,
  )
  return { speedup, interval, reason: null }
}

/** `made 300 iterations where cpu/sequential made 17: compare the times per iteration`. */
export function otherWork(row: Measurement, base: Measurement): string {
  const made = t('benchmark-tables.madeWhereMade', [
    plural(row.iterations, 'iteration'),
    base.contender,
    base.iterations,
  ])
  return t('benchmark-tables.compareTheTimesPerIteration', [made])
}

function baselineFault(base: Measurement | undefined, row: Measurement, baseline: string): string | null {
  if (base === undefined) return t('benchmark-tables.theBaselineHasNoTimeFor', [baseline, row.dataset, row.k])
  const fault = whyNotCounted(base)
  return fault === null
    ? null
    : t('benchmark-tables.theBaselineDoesNotCountHere', [baseline, afterColon(fault)])
}
