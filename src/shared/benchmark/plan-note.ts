import type { Suite } from './suite'

/** A run to convergence is taken to have this many iterations when contenders are compared or foretold. */
export const typicalIterations = 20

/** Iterations a run is taken to have: all where they are fixed, else those of a typical run, if the limit lets it. */
export function plannedIterations({ stop, maxIterations }: Suite['config']): number {
  return stop === 'none' ? maxIterations : Math.min(maxIterations, typicalIterations)
}

/** What the durations of a plan rest on, so that nobody takes them for a promise. */
export function planNote({ config, maxCellSeconds }: Pick<Suite, 'config' | 'maxCellSeconds'>): string {
  const checks =
    maxCellSeconds === undefined
      ? ''
      : ' The first contender of each dataset and k also takes what all are checked against, beyond its limit.'
  return `${iterationsNote(config, maxCellSeconds !== undefined)}${checks}`
}

function iterationsNote(config: Suite['config'], isLimited: boolean): string {
  const iterations = plannedIterations(config)
  const count = iterations === 1 ? '1 iteration' : `${iterations} iterations`
  const fewer = isLimited ? ', or for the fewer that a cell names' : ''
  if (config.stop === 'none') return `Durations are for ${count} a run${fewer}.`
  return `Estimates assume ${count}; how many a run needs is known only afterwards.`
}
