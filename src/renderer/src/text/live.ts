/** When a change of a setting is followed at once, by what runs took, and the sentence that says so. */
import { samePoints, type RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { formatDuration } from './numbers'

/** From a change to its picture. */
export interface LiveObservation {
  readonly ms: number
  /** n d k */
  readonly work: number
}

export interface LivePrediction {
  readonly ms: number
  readonly isQuick: boolean
}

/** A change is followed at once where its picture is expected within this time. */
export const liveMs = 150
/** Before enough were observed: a run by hand also made points and seeding, which a live one takes over. */
const triedMs = 400
/** Observations that a prediction looks back on. */
export const maxObserved = 3

/** Did only k, a feature, the scaling, or which rows are clustered change? */
export function isLiveChange(before: RunConfig, after: RunConfig): boolean {
  const others = ({ k: _k, nInit: _restarts, ...rest }: RunConfig) => {
    const {
      features: _f,
      oneHot: _o,
      missing: _m,
      scaling: _s,
      columnScalings: _c,
      filter: _r,
      ...fixed
    } = rest
    return JSON.stringify(fixed)
  }
  const isSame = before.k === after.k && samePoints(before, after)
  return !isSame && others(before) === others(after)
}

/**
 * From a change to its picture: the quickest of the last observations, scaled by points, features and clusters; other points are
 * prepared first.
 */
export function livePrediction(
  { n, d, k, timings, restarts, receipt, config }: RunRecord,
  observed: readonly LiveObservation[],
  next: RunConfig,
  nextFeatures: number,
): LivePrediction {
  const work = n * nextFeatures * next.k
  const seen = observed.map((one) => one.ms * Math.max(1, work / one.work))
  const byHand = (timings.totalMs / restarts.length) * Math.max(1, work / (n * d * k))
  const preparing = samePoints(config, next) ? 0 : Math.max(0, timings.loadMs - receipt.loadMs)
  const isKnown = seen.length >= maxObserved
  const ms = Math.min(...seen, ...(isKnown ? [] : [byHand])) + preparing
  return { ms, isQuick: ms <= (isKnown ? liveMs : triedMs) }
}

export function liveSentence(on: boolean, predicted: LivePrediction | null, restarts: number): string {
  if (!on) return 'Changes wait for Run.'
  if (!predicted) return 'After the first run, changes cluster again at once.'
  if (!predicted.isQuick)
    return `A run takes about ${formatDuration(predicted.ms)}: press Run after a change.`
  if (restarts === 1) return 'Changes cluster again at once.'
  return `Changes cluster again at once: one restart, then ${restarts} when at rest.`
}
