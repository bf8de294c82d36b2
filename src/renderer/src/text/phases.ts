/** The phases of a run in words, with what each of them took. */
import type { phaseColours } from '@shared/benchmark/phase-colours'
import type { PhaseTimings } from '@shared/run-record'
import { t } from '@/i18n'

/** As the colours of the phases name them. */
type PhaseWord = Exclude<keyof typeof phaseColours, 'load'>

export type Phase = Exclude<keyof PhaseTimings, 'loadMs' | 'totalMs'>

/** In the order in which they are carried out; closed by its type. */
const phaseTexts: Readonly<Record<Phase, readonly [word: PhaseWord, says: () => string]>> = {
  uploadMs: ['upload', () => t('results.pointsMovedToTheDevice')],
  initMs: ['init', () => t('results.initialCentroids')],
  assignMs: ['assign', () => t('results.nearestCentroidOfEveryPoint')],
  updateMs: ['update', () => t('results.meansOfTheClusters')],
  iterateMs: ['iterate', () => t('results.assignmentAndUpdateInOneKernel')],
  convergeMs: ['converge', () => t('results.stopRule')],
  downloadMs: ['download', () => t('results.finalLabelsBroughtFromTheDevice')],
  otherMs: ['other', () => t('results.timeOutsideThePhasesItIncludes')],
}
const order = Object.keys(phaseTexts) as readonly Phase[]

export interface TimedPhase {
  readonly phase: Phase
  readonly word: PhaseWord
  /** What is done in it, one phrase. */
  readonly says: string
  readonly ms: number
  /** Of the total, 0..1. */
  readonly share: number
}

/** The phases that were timed, in order. */
export function timedPhases(timings: PhaseTimings): readonly TimedPhase[] {
  const { totalMs } = timings
  return order.flatMap((phase) => {
    const ms = timings[phase]
    const [word, says] = phaseTexts[phase]
    return ms === null ? [] : [{ phase, word, says: says(), ms, share: totalMs > 0 ? ms / totalMs : 0 }]
  })
}
