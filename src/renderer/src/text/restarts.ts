/** How many restarts a run has where nobody says: the best of ten, where all of them are over within a second. */
import { typicalIterations } from '@shared/benchmark/plan-note'
import { startsAlike, type RunConfig } from '@shared/run-config'

export const manyRestarts = 10
/** Multiply-adds that a processor with few cores surely carries out in a second, seeding and what is around it included. */
const productsPerSecond = 1e9
/** Passes over the points that a seeding takes, as many as iterations. */
const seedingIterations = 5

type Question = Pick<RunConfig, 'k' | 'init' | 'stop' | 'maxIterations' | 'engine' | 'variant'>

/**
 * @param rows of the file
 * @param features of the points
 */
export function usualRestarts(config: Question, rows: number, features: number): number {
  const { k, init, stop, maxIterations, engine, variant } = config
  const isOurs = (engine === 'auto' || engine === 'cpu') && (variant === 'auto' || variant === 'fused')
  if (startsAlike(init) || !isOurs) return 1
  const iterations = stop === 'none' ? maxIterations : Math.min(maxIterations, typicalIterations)
  const products = rows * features * k * (iterations + seedingIterations)
  return manyRestarts * products <= productsPerSecond ? manyRestarts : 1
}
