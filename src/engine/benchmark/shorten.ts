import { cellLimitMs, minIterations, notRunReason } from '@shared/benchmark/cell-limit'
import type { PlannedCell, Shortened } from '@shared/benchmark/document'
import type { Suite } from '@shared/benchmark/suite'
import { plural } from '@shared/quantity-words'

/** What a plan knows of a cell that may have to end sooner. */
export interface Foretold {
  /** Milliseconds of the cell for a suite that asks for so many runs and iterations; null where nothing is known. */
  readonly predict: (suite: Suite) => number | null
  /** Where it runs, for a sentence: `on 16 threads`. */
  readonly where: string
  /** Whether it makes the iterations that it is told to make, and no others. */
  readonly isFixed: boolean
}

/**
 * The cell as the limit of the suite leaves it. What would take longer loses its warm-up, then repeats, then, where
 * their number is fixed, iterations; where even the least of it takes longer it is not run. Without a prediction
 * nothing is cut: such a cell is ended at its limit (`LimitedRunner`).
 */
export function withinLimit(
  cell: PlannedCell,
  { predict, where, isFixed }: Foretold,
  suite: Suite,
): PlannedCell {
  const predictedMs = predict(suite)
  const limitMs = cellLimitMs(suite)
  if (limitMs === null || predictedMs === null || predictedMs <= limitMs) return { ...cell, predictedMs }
  const predicted = (shortened: Shortened) => predict(withWork(suite, shortened)) ?? Infinity
  const fits = (shortened: Shortened) => predicted(shortened) <= limitMs
  const shortened = fewerRuns(suite, fits) ?? (isFixed ? fewerIterations(suite, fits) : null)
  if (shortened !== null) return { ...cell, shortened, predictedMs: predicted(shortened) }
  const minimal = minimalOf(suite, isFixed)
  const skipped = notRunReason(predictedMs, where, predicted(minimal), onceWords(minimal, isFixed), limitMs)
  return { ...cell, predictedMs, skipped }
}

/** The suite with a cell's own number of runs and iterations. */
function withWork(suite: Suite, { iterations, warmup, repeats }: Shortened): Suite {
  return { ...suite, warmup, repeats, config: { ...suite.config, maxIterations: iterations } }
}

/** Without warm-up, and as many repeats as fit; null where not one does. */
function fewerRuns({ repeats, config }: Suite, fits: (one: Shortened) => boolean): Shortened | null {
  const of = (count: number) => ({ iterations: config.maxIterations, warmup: 0, repeats: count })
  const most = largest(1, repeats, (count) => fits(of(count)))
  return most === null ? null : of(most)
}

/** One run of as many iterations as fit; null where the least number does not. */
function fewerIterations({ config }: Suite, fits: (one: Shortened) => boolean): Shortened | null {
  const of = (iterations: number) => ({ iterations, warmup: 0, repeats: 1 })
  const most = largest(minIterations, config.maxIterations - 1, (iterations) => fits(of(iterations)))
  return most === null ? null : of(most)
}

/** Largest whole number from `least` to `most` that fits, where all below one that fits do as well; null for none. */
function largest(least: number, most: number, fits: (value: number) => boolean): number | null {
  if (most < least || !fits(least)) return null
  let [low, high] = [least, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function minimalOf({ config }: Suite, isFixed: boolean): Shortened {
  const { maxIterations } = config
  const iterations = isFixed ? Math.min(minIterations, maxIterations) : maxIterations
  return { iterations, warmup: 0, repeats: 1 }
}

function onceWords({ iterations }: Shortened, isFixed: boolean): string {
  return isFixed ? `one run of ${plural(iterations, 'iteration')}` : 'one run'
}
