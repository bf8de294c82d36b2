/** When a change of a setting is followed at once, by what runs took, and the sentence that says so. */
import { typicalIterations } from '@shared/benchmark/plan-note'
import { samePoints, type RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { formatDuration } from './numbers'
import { t } from '@/i18n'

/** A live run of one restart. */
export interface LiveObservation {
  /** As its record says. */
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
/** Labels of a point on their way to the window, and its part of the picture. */
const drawingMs = 6e-5
/** Multiply-adds that a slow processor carries out in a millisecond. */
const productsPerMs = 1e6
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
 * From a change to its picture: the quickest of the last live runs, scaled by points, features and clusters, and drawing; other points
 * are prepared first.
 */
export function livePrediction(
  { n, d, k, timings, restarts, receipt, config }: RunRecord,
  observed: readonly LiveObservation[],
  next: RunConfig,
  nextFeatures: number,
): LivePrediction {
  const work = n * nextFeatures * next.k
  const seen = observed.map((one) => scaled(one, work))
  const byHand = scaled({ ms: timings.totalMs / restarts.length, work: n * d * k }, work)
  const drawing = n * drawingMs
  const preparing = samePoints(config, next) ? 0 : Math.max(0, timings.loadMs - receipt.loadMs)
  const isKnown = seen.length >= maxObserved
  const ms = Math.min(...seen, ...(isKnown ? [] : [byHand])) + preparing + drawing
  return { ms, isQuick: ms <= (isKnown ? liveMs : triedMs) }
}

/** In proportion to the work, where that is more than what is around it. */
function scaled({ ms, work }: LiveObservation, next: number): number {
  const inProportion = (ms * Math.max(0, next - work)) / work
  return ms + Math.min(inProportion, (Math.max(0, next - work) * typicalIterations) / productsPerMs)
}

export function liveSentence(on: boolean, predicted: LivePrediction | null, restarts: number): string {
  if (!on) return t('window.changesWaitForRun')
  if (!predicted) return t('window.followsChangesAfterTheFirstRun')
  if (!predicted.isQuick) return t('window.aRunTakesAboutPressRun', [formatDuration(predicted.ms)])
  if (restarts === 1) return t('window.followsChangesAtOnce')
  return t('window.followsChangesOneRestartThenWhen', [restarts])
}
