import type { PlannedCell } from '@shared/benchmark/document'
import type { Suite } from '@shared/benchmark/suite'
import type { Costs } from '../auto/calibration-file'
import { typicalIterations, type Shape } from '../auto/cost-model'
import { costsOf, predictMs } from '../auto/resolve'
import { candidatesFor } from '../init/k-means-plus-plus'
import type { ResolvedRun } from '../run/run'
import { mostProducts } from './sampling'

/** About what calibrating one contender that is not known yet may take. */
const calibrationMs = 100
/** Float64 multiply-adds of the host's checks in a millisecond, about. */
const checkedPerMs = 4e5
/** Iterations of the step checks, at the start and at the end. */
const stepIterations = 4

/** Iterations a run is taken to have: all where they are fixed, else those of a typical run, if the limit lets it. */
export function iterationsOf({ stop, maxIterations }: Suite['config']): number {
  return stop === 'none' ? maxIterations : Math.min(maxIterations, typicalIterations)
}

/** Whole runs of a cell: warm-up, counted and instrumented ones; nothing outside can be instrumented. */
export function runsOf(
  { warmup, repeats, timing }: Pick<Suite, 'warmup' | 'repeats' | 'timing'>,
  { engine }: Pick<PlannedCell, 'engine'>,
): number {
  return warmup + repeats * (timing === 'total' || engine === null ? 1 : 2)
}

/** What is known, or measured now, of everything that will run. */
export function costsOfAll(runs: readonly ResolvedRun[], signal: AbortSignal): Promise<Costs> {
  return costsOf(runs, signal, calibrationMs * runs.length, true)
}

/** All runs of a cell with their checks; null where nothing is known of the contender. */
export function predictCellMs(
  run: ResolvedRun,
  seeder: ResolvedRun | null,
  costs: Costs,
  shape: Shape,
  suite: Suite,
): number | null {
  const runMs = predictMs(run, costs, shape, iterationsOf(suite.config))
  const stepsMs = predictMs(run, costs, shape, stepIterations)
  if (runMs === null || stepsMs === null) return null
  const seedingMs = seeder === null ? 0 : predictSeedingMs(seeder, costs, shape, suite.config)
  return runsOf(suite, { engine: run.engine.id }) * (runMs + seedingMs) + stepsMs + checksMs(shape)
}

/** The processor seeds for every contender; each candidate costs as much as a pass over all distances. */
function predictSeedingMs(run: ResolvedRun, costs: Costs, shape: Shape, { init }: Suite['config']): number {
  if (init !== 'k-means++' && init !== 'k-means||') return 0
  const oneMs = (predictMs(run, costs, shape, 2) ?? 0) - (predictMs(run, costs, shape, 1) ?? 0)
  return init === 'k-means++' ? candidatesFor(shape.k) * oneMs : 2 * oneMs
}

function checksMs({ n, d, k }: Shape): number {
  return (2 * Math.min(mostProducts, n * d * k) + 2 * n * d) / checkedPerMs
}
