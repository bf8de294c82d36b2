import { isOnEngineOf } from './published-match'
import type { Publication, PublishedTime } from './suite'
import { t } from '../locale/translate'

/** Speed-ups that a study does not print, from the times that it does. */
export interface ComputedSpeedup {
  /** Null for the baseline itself, and where one of the two times is not printed. */
  readonly of: (time: PublishedTime) => number | null
  /** To what they refer; one sentence. */
  readonly note: string
}

/**
 * Speed-ups over the system that the baseline stands for.
 * @returns null where the study prints speed-ups of its own, or no time of that system
 */
export function computedSpeedups({ times }: Publication, baseline: string): ComputedSpeedup | null {
  if (times.some(({ speedup }) => speedup !== null)) return null
  const ofBaseline = timesOf(times, baseline)
  if (ofBaseline.length === 0) return null
  const systems = [...new Set(ofBaseline.map(({ system }) => system))].join(', ')
  const note = t('benchmark-tables.publishedSpeedUpsMarkedComputedAre', [systems])
  return { of: speedupOfTimes(times, baseline), note }
}

/** From printed times alone: null for the baseline itself, and where one of the two times is not printed. */
export function speedupOfTimes(times: readonly PublishedTime[], baseline: string): ComputedSpeedup['of'] {
  const ofBaseline = timesOf(times, baseline)
  return (time) => {
    const base = ofBaseline.find(({ dataset, k }) => dataset === time.dataset && k === time.k)
    const isKnown = base !== undefined && base !== time && base.ms !== null && time.ms !== null
    return isKnown && base.ms !== null && time.ms ? base.ms / time.ms : null
  }
}

function timesOf(times: readonly PublishedTime[], baseline: string): readonly PublishedTime[] {
  return times.filter(({ contender }) => isOnEngineOf(contender, baseline))
}
