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
  /** What had to be prepared first, and how long that took. */
  readonly prepared: { readonly what: Preparing; readonly ms: number } | null
  /** From the change to its picture, what else it took: labels on their way, and the picture itself. Null until it is there. */
  readonly drawnMs: number | null
}

/** Points in other units or of other features, or points of other rows. */
export type Preparing = 'units' | 'rows'

export interface LivePrediction {
  readonly ms: number
  readonly isQuick: boolean
}

/** A change is followed at once where its picture is expected within this time. */
export const liveMs = 150
/** Before enough were observed: a run by hand also made points and seeding, which a live one takes over. */
const triedMs = 400
/**
 * Labels of a point on their way to the window, and its part of the picture: before a picture was seen, and at most what counts against
 * a change, for what the window takes beyond that it takes after Run, too.
 */
const drawingMs = 6e-5
/** Multiply-adds that a slow processor carries out in a millisecond. */
const productsPerMs = 1e6
/** Observations of a kind that a prediction looks back on. */
const maxObserved = 3

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

/** What has to be prepared for a change; null where the points are there. */
export function preparingFor(before: RunConfig, after: RunConfig): Preparing | null {
  if (samePoints(before, after)) return null
  const rows = ({ missing, filter }: RunConfig) => JSON.stringify([missing, filter ?? null])
  return rows(before) === rows(after) ? 'units' : 'rows'
}

/** What a live run showed of the change that it followed. */
export function observationOf(
  { n, d, k, timings, receipt, reused = [] }: RunRecord,
  what: Preparing | null,
): LiveObservation {
  const ms = Math.max(0, timings.loadMs - receipt.loadMs)
  const prepared = what === null || reused.includes('points') ? null : { what, ms }
  return { ms: timings.totalMs, work: n * d * k, prepared, drawnMs: null }
}

/** With its picture, so long after the change. */
export function drawnAfter(observation: LiveObservation, wholeMs: number): LiveObservation {
  const { ms, prepared } = observation
  return { ...observation, drawnMs: Math.max(0, wholeMs - ms - (prepared?.ms ?? 0)) }
}

/** As many of each kind as a prediction looks back on, newest last. */
export function withObservation(
  observed: readonly LiveObservation[],
  next: LiveObservation,
): readonly LiveObservation[] {
  const alike = observed.filter(({ prepared }) => prepared?.what === next.prepared?.what)
  const oldest = alike.length < maxObserved ? null : alike[0]
  return [...observed.filter((one) => one !== oldest), next]
}

/**
 * From a change to its picture: what the last live runs took, scaled by points, features and clusters, and what drawing them did; other
 * points are prepared first. Each is the middle of the last observations.
 */
export function livePrediction(
  { n, d, k, timings, restarts, receipt, config }: RunRecord,
  observed: readonly LiveObservation[],
  next: RunConfig,
  nextFeatures: number,
): LivePrediction {
  const work = n * nextFeatures * next.k
  const what = preparingFor(config, next)
  const prepared = observed.flatMap((one) => (what && one.prepared?.what === what ? [one.prepared.ms] : []))
  const last = observed.slice(-maxObserved)
  const seen = last.map((one) => scaled(one, work))
  const byHand = scaled({ ms: timings.totalMs / restarts.length, work: n * d * k }, work)
  const usual = n * drawingMs
  const drawing = middle(last.flatMap(({ drawnMs }) => drawnMs ?? [])) ?? usual
  // Of a run that took its points over nothing is known, and the change is tried.
  const preparing = what === null ? 0 : (middle(prepared) ?? Math.max(0, timings.loadMs - receipt.loadMs))
  const isKnown = seen.length >= maxObserved && (what === null || prepared.length > 0)
  const running = isKnown ? middle(seen) : Math.min(...seen, byHand)
  const engine = (running ?? byHand) + preparing
  return { ms: engine + drawing, isQuick: engine + Math.min(drawing, usual) <= (isKnown ? liveMs : triedMs) }
}

/** The lower one of two; null of none. */
function middle(values: readonly number[]): number | null {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
}

/** In proportion to the work, where that is more than what is around it. */
function scaled({ ms, work }: Pick<LiveObservation, 'ms' | 'work'>, next: number): number {
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
