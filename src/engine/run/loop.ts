import { LabError } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import type { RestartSummary } from '@shared/run-record'
import type { PreparedPoints } from '../dataset/prepared'
import type { Coordinates, IterationStats } from '../engines/engine'
import { Slices } from '../slices'
import { systemSleep } from '../system-sleep'
import type { CheckpointTracker } from './checkpoint'
import { finalPass } from './final-pass'
import type { GuardedSession } from './guarded-session'
import type { HistoryKeeper } from './history'
import type { Reporter } from './reporter'
import type { Stopwatch } from './timings'
import type { Checkpoint, RestartOutcome } from './types'
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
  /** Null where nobody would go on with a broken run. */
  readonly tracker: CheckpointTracker | null
  /** See ClusteringJob. */
  readonly trustsEngine: boolean
  /** (k, d) initial centroids, engine units. */
  seed(seedValue: number): Promise<Coordinates>
}

const unmeasured = { sizes: new Float64Array(), inertias: new Float64Array() }

/**
 * Seeding, iterations, final assignment: one clustering from beginning to end.
 * @param from where another engine left it, or null
 */
export async function runRestart(
  context: RestartContext,
  run: number,
  from: Checkpoint | null,
): Promise<RestartOutcome> {
  const { points, config, session, reporter, stopwatch, signal } = context
  const seed = config.seed + run
  const initialCentroids = from?.initialCentroids ?? (await seeded(context, run, seed))
  context.tracker?.seeded(initialCentroids, from)
  await session.start((from?.ended ?? from?.known)?.centroids ?? initialCentroids)
  reporter.phase('iterating', run)
  const iterating = performance.now() - stopwatch.pausedMs
  const last = from?.ended ? endOf(from) : await iterate(context, run, from)
  const reading = performance.now()
  stopwatch.iteratingMs += reading - stopwatch.pausedMs - iterating
  const { labels, centroids, inertia, downloadMs } = await session.read()
  stopwatch.downloadMs += downloadMs
  stopwatch.finalAssignment(performance.now() - reading - downloadMs)
  const final = context.trustsEngine
    ? { ...unmeasured, inertia: inertia ?? Number.NaN }
    : await finalPass(points, centroids, labels, signal)
  const summary: RestartSummary = {
    run,
    seed,
    iterations: last.iteration,
    stopped: last.stop ? config.stop : 'max-iterations',
    inertia: toScaledSquare(final.inertia, points.exponent),
  }
  return { summary, stillFrom: last.stillFrom, initialCentroids, labels, centroids, final }
}

async function seeded({ reporter, stopwatch, seed }: RestartContext, run: number, seedValue: number) {
  reporter.phase('seeding', run)
  const began = performance.now()
  const centroids = await seed(seedValue)
  stopwatch.initMs += performance.now() - began
  return centroids
}

type End = Pick<IterationStats, 'iteration' | 'stop'> & Pick<RestartOutcome, 'stillFrom'>

/** The device was lost after the last iteration: at the limit or by the rule. */
function endOf({ iterations, stopped }: Checkpoint): End {
  return { iteration: iterations, stop: stopped, stillFrom: null }
}

/** Advances until the rule is met or the limit is reached; answers the last iteration. */
async function iterate(context: RestartContext, run: number, from: Checkpoint | null): Promise<End> {
  const { config, session, tracker } = context
  const slices = new Slices(context.signal)
  const before = from?.known?.iteration ?? 0
  const reported = from?.iterations ?? 0
  let last: End | undefined
  while (last === undefined || goesOn(last, config)) {
    const done = countedFrom(
      before,
      await session.advance(config.maxIterations - (last?.iteration ?? before)),
    )
    record(context, run, reported === 0 ? done : done.filter(({ iteration }) => iteration > reported))
    const end = done.at(-1)
    if (end === undefined) throw noProgress()
    last = { ...end, stillFrom: stillFrom(done, last?.stillFrom ?? null) }
    tracker?.advanced(done, lastCentroids(done, session), goesOn(last, config) ? null : last.stop)
    if (systemSleep.isAsleep) await untilAwake(context)
    await slices.next()
  }
  if (last.iteration < reported) context.history.endAt(run, last.iteration)
  return last
}

/** @param before of the iterations before these */
function stillFrom(done: readonly IterationStats[], before: number | null): number | null {
  const moved = done.findLast(({ maxCoordinateShift }) => maxCoordinateShift > 0)
  if (moved === undefined) return before ?? done[0].iteration
  return moved === done.at(-1) ? null : moved.iteration + 1
}

async function untilAwake({ stopwatch, signal }: RestartContext): Promise<void> {
  const began = performance.now()
  await systemSleep.over(signal)
  stopwatch.pausedMs += performance.now() - began
}

function goesOn({ stop, iteration }: End, { maxIterations }: RunConfig): boolean {
  return !stop && iteration < maxIterations
}

/** A session counts its own iterations. */
function countedFrom(before: number, done: readonly IterationStats[]): readonly IterationStats[] {
  if (before === 0) return done
  return done.map((stats) => ({ ...stats, iteration: stats.iteration + before }))
}

/** Of an engine that did not send them with the iterations. */
function lastCentroids(done: readonly IterationStats[], session: GuardedSession): Coordinates | null {
  return done.at(-1)?.centroids ? null : session.centroids()
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
