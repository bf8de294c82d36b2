import { LabError } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import type { RestartSummary } from '@shared/run-record'
import type { PreparedPoints } from '../dataset/prepared'
import type { IterationStats } from '../engines/engine'
import { Slices } from '../slices'
import { finalPass, type FinalPass } from './final-pass'
import type { GuardedSession } from './guarded-session'
import type { HistoryKeeper } from './history'
import type { Reporter } from './reporter'
import type { Stopwatch } from './timings'
import { toRow, toScaledSquare } from './units'

/** What all restarts of a run share. */
export interface RestartContext {
  readonly points: PreparedPoints
  readonly config: RunConfig
  readonly session: GuardedSession
  readonly reporter: Reporter
  readonly history: HistoryKeeper
  readonly stopwatch: Stopwatch
  readonly signal: AbortSignal
  /** See ClusteringJob. */
  readonly trustsEngine: boolean
  /** (k, d) initial centroids, engine units. */
  seed(seedValue: number): Promise<Float32Array>
}

/** One restart with its arrays, engine units. */
export interface RestartOutcome {
  readonly summary: RestartSummary
  readonly initialCentroids: Float32Array
  readonly labels: Int32Array
  readonly centroids: Float32Array
  readonly final: FinalPass
}

const untold = { sizes: new Float64Array(), inertias: new Float64Array() }

/** Seeding, iterations, final assignment: one clustering from beginning to end. */
export async function runRestart(context: RestartContext, run: number): Promise<RestartOutcome> {
  const { points, config, session, reporter, stopwatch, signal } = context
  const seed = config.seed + run
  reporter.phase('seeding', run)
  const began = performance.now()
  const initialCentroids = await context.seed(seed)
  stopwatch.initMs += performance.now() - began
  await session.start(initialCentroids)
  reporter.phase('iterating', run)
  const iterating = performance.now()
  const last = await iterate(context, run)
  const reading = performance.now()
  stopwatch.iteratingMs += reading - iterating
  const { labels, centroids, inertia } = await session.read()
  const final = context.trustsEngine
    ? { ...untold, inertia }
    : await finalPass(points, centroids, labels, config.k, signal)
  stopwatch.downloadMs += performance.now() - reading
  const summary: RestartSummary = {
    run,
    seed,
    iterations: last.iteration,
    stopped: last.stop ? config.stop : 'max-iterations',
    inertia: toScaledSquare(final.inertia, points.exponent),
  }
  return { summary, initialCentroids, labels, centroids, final }
}

/** Advances until the rule is met or the limit is reached; answers the last iteration. */
async function iterate(context: RestartContext, run: number): Promise<IterationStats> {
  const { config, session } = context
  const slices = new Slices(context.signal)
  let last: IterationStats | undefined
  while (last === undefined || (!last.stop && last.iteration < config.maxIterations)) {
    const done = await session.advance(config.maxIterations - (last?.iteration ?? 0))
    record(context, run, done)
    last = done.at(-1)
    if (last === undefined) throw noProgress()
    await slices.next()
  }
  return last
}

function record(context: RestartContext, run: number, done: readonly IterationStats[]): void {
  const { exponent } = context.points
  const rows = done.map((stats) => toRow(stats, run, exponent))
  done.forEach((stats, position) => {
    context.stopwatch.iteration(stats)
    context.history.add(rows[position], stats.centroids)
  })
  context.reporter.iterations(rows, done.at(-1)?.centroids ?? null)
}

function noProgress(): LabError {
  return new LabError(
    'internal',
    'run.no-progress',
    'The engine stopped answering iterations: choose another variant and please report this.',
  )
}
