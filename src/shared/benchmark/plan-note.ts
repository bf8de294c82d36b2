import { plural } from '../quantity-words'
import type { Suite } from './suite'
import { t } from '../locale/translate'

/** A run to convergence is taken to have this many iterations when contenders are compared or foretold. */
export const typicalIterations = 20

/** Iterations a run is taken to have: all where they are fixed, else those of a typical run, if the limit lets it. */
export function plannedIterations({ stop, maxIterations }: Suite['config']): number {
  return stop === 'none' ? maxIterations : Math.min(maxIterations, typicalIterations)
}

/** What the durations of a plan rest on, so that nobody takes them for a promise. */
export function planNote({ config, maxCellSeconds }: Pick<Suite, 'config' | 'maxCellSeconds'>): string {
  const checks = maxCellSeconds === undefined ? '' : t('benchmark-tables.theFirstContenderOfEachDataset')
  return `${iterationsNote(config, maxCellSeconds !== undefined)}${checks}`
}

function iterationsNote(config: Suite['config'], isLimited: boolean): string {
  const iterations = plannedIterations(config)
  const count = plural(iterations, 'iteration')
  const fewer = isLimited ? t('benchmark-tables.orForTheFewerThatA') : ''
  if (config.stop === 'none') return t('benchmark-tables.durationsAreForARun', [count, fewer])
  return t('benchmark-tables.estimatesAssumeHowManyARun', [count])
}
