import type { PlannedCell } from '@shared/benchmark/document'
import { plannedIterations } from '@shared/benchmark/plan-note'
import type { OutsideSystem, Suite } from '@shared/benchmark/suite'
import type { Costs } from '../auto/calibration-file'
import { expectedMs, iterationMs, type Shape } from '../auto/cost-model'
import { costOf, costsOf, predictMs } from '../auto/resolve'
import { candidatesFor } from '../init/k-means-plus-plus'
import type { ResolvedRun } from '../run/types'
import { verificationScale } from './choose-verifier'
import { outsideName } from './outside-costs'

/** About what calibrating all contenders that are not known yet may take; compilation comes on top of it. */
const calibrationMs = 20_000
/** Operations of the checks on each coordinate, over all their passes, about. */
const checkedPerCoordinate = 30
/** Steps that are checked, from the start and from the end: each a session of one iteration. */
const steps = 2
/** Sessions of a baseline outside: the steps, and one for all its runs. */
const outsideSessions = steps + 1

/** Iterations of `fused` in the time of comparing all points with k rows in float64, about. */
const seedingPasses = 2.5
/** Rounds of k-means++ that look at all points, and what a later one takes of such a round: .1 with heaps, .3 without structure. */
const wholeRounds = 50
const laterShare = 0.2

/** Whole runs of a cell: warm-up, counted and instrumented ones; nothing outside can be instrumented. */
export function runsOf(
  suite: Pick<Suite, 'warmup' | 'repeats' | 'timing'>,
  { engine, shortened }: Pick<PlannedCell, 'engine' | 'shortened'>,
): number {
  const { timing } = suite
  const { warmup, repeats } = shortened ?? suite
  return warmup + repeats * (timing === 'total' || engine === null ? 1 : 2)
}

/** What is known, or measured now, of everything that will run. */
export function costsOfAll(runs: readonly ResolvedRun[], signal: AbortSignal): Promise<Costs> {
  return costsOf(runs, signal, calibrationMs, true)
}

/**
 * All runs of a cell with their checks: what is compiled is compiled once, a session is opened for every run.
 * @returns null where nothing is known of the contender
 */
export function predictCellMs(
  run: ResolvedRun,
  seeder: ResolvedRun | null,
  costs: Costs,
  shape: Shape,
  suite: Suite,
): number | null {
  const cost = costOf(run, costs)
  const runMs = predictMs(run, costs, shape, plannedIterations(suite.config))
  // The labels before the step, the step, and the labels after it.
  const stepMs = predictMs(run, costs, shape, 2)
  if (cost === null || runMs === null || stepMs === null) return null
  const seedingMs = seeder === null ? 0 : predictSeedingMs(seeder, costs, shape, suite.config)
  const runsMs = runsOf(suite, { engine: run.engine.id }) * (runMs + seedingMs)
  return cost.onceMs + runsMs + steps * stepMs + checksMs(shape)
}

/**
 * Roughly: a baseline outside starts a process for each of its sessions, and is taken to need time in proportion to
 * the products n d k of an iteration. scipy stops at no rule, so that it takes all iterations.
 * @returns null where nothing is known of it
 */
export function predictOutsideMs(
  system: OutsideSystem,
  costs: Costs,
  shape: Shape,
  suite: Suite,
): number | null {
  const cost = costs[outsideName(system)]
  if (!cost) return null
  const { maxIterations } = suite.config
  const iterations = system === 'scipy' ? maxIterations : plannedIterations(suite.config)
  const runsMs = runsOf(suite, { engine: null }) * expectedMs({ ...cost, openMs: 0 }, shape, iterations)
  const stepsMs = steps * 2 * iterationMs(cost, shape)
  return outsideSessions * cost.openMs + runsMs + stepsMs + checksMs(shape)
}

/**
 * The processor seeds for every contender. k-means++ looks at all points for every candidate and for the one that stays, in
 * float64, until there are so many centres that it can leave most of them out (kernels/common/seeding/README.md).
 */
function predictSeedingMs(run: ResolvedRun, costs: Costs, shape: Shape, { init }: Suite['config']): number {
  if (init !== 'k-means++' && init !== 'k-means||') return 0
  const oneMs = (predictMs(run, costs, shape, 2) ?? 0) - (predictMs(run, costs, shape, 1) ?? 0)
  if (init === 'k-means||') return 2 * oneMs
  const rounds = Math.min(shape.k, wholeRounds) + laterShare * Math.max(0, shape.k - wholeRounds)
  return (rounds / shape.k) * seedingPasses * (candidatesFor(shape.k) + 1) * oneMs
}

/** Of one contender: labels against the sample, and the means of both steps. */
function checksMs({ n, d }: Shape): number {
  return (checkedPerCoordinate * n * d) / verificationScale().coordinatesPerMs
}

/** The float64 distances from the shared start and from the end, which mostly is one for all contenders of a case. */
export function sampledMs({ n, d, k }: Shape): number {
  const { maxProducts, productsPerMs } = verificationScale()
  return (2 * Math.min(maxProducts, n * d * k)) / productsPerMs
}
