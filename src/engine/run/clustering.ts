import { isApproximate } from '@shared/approximate'
import { LabError } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import { workersFor } from '@shared/workers'
import type { PreparedPoints } from '../dataset/prepared'
import type { Coordinates, SessionConfig, SessionPlan } from '../engines/engine'
import { seed } from '../init'
import { chooseKernel } from '../init/choose-kernel'
import { carriedOut, planRun, regimeConfig } from '../plan/plan-run'
import { orAborted } from '../slices'
import { systemSleep } from '../system-sleep'
import { CheckpointTracker } from './checkpoint'
import { GuardedSession } from './guarded-session'
import { HistoryKeeper } from './history'
import { Reporter } from './reporter'
import { runRestart, type RestartContext } from './loop'
import type { Checkpoint, Clustering, ClusteringJob, ResolvedRun, RestartOutcome, RunObserver } from './types'
import { Stopwatch } from './timings'
import { thresholdFor } from './units'

/** Centroids up to this many coordinates are copied out of every iteration for the live plot. */
const liveCoordinates = 16_384

const sleptThrough =
  'The computer slept during this run: the pause is not in its times, but do not compare them with others.'

/** All restarts on one session; the smallest final inertia wins, ties to the earlier. */
export async function cluster(
  job: ClusteringJob,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<Clustering> {
  const { config, points, from = null } = job
  observer.phase('uploading', 0)
  const night = systemSleep.watch()
  const stopwatch = new Stopwatch(from?.spent)
  const opening = performance.now()
  const { session, resolved, plan, warnings } = await openFirst(job, signal)
  const setUpMs = Math.max(0, performance.now() - opening - session.uploadMs)
  try {
    const reporter = new Reporter(observer, points, config, resolved, from?.spent.totalMs)
    const history = new HistoryKeeper(config.history, config.centroidHistory)
    if (from !== null) history.resume(from.rows, from.centroidHistory)
    const about = { resolved, plan, history, stopwatch, uploadMs: session.uploadMs }
    const tracker = observer.checkpointReady || from ? new CheckpointTracker(about, from) : null
    if (tracker !== null) observer.checkpointReady?.(() => tracker.take())
    const context = {
      points,
      config,
      session,
      reporter,
      history,
      stopwatch,
      signal,
      tracker,
      trustsEngine: job.trustsEngine ?? false,
      seed: seeder(job, resolved, signal),
    }
    const { best, restarts } = await runRestarts(context, from, job.restartDone)
    const timings = stopwatch.stop(job.loadMs, session.uploadMs)
    reporter.flush()
    reporter.phase('finishing', config.nInit - 1)
    return {
      resolved,
      plan,
      best,
      restarts,
      history,
      timings,
      setUpMs,
      iteratingMs: stopwatch.iteratingMs,
      finalAssignMs: stopwatch.finalAssignMs,
      iterationTimes: stopwatch.iterationTimes,
      hostDeviceBytesPerIteration: session.hostDeviceBytesPerIteration,
      engineSegments: tracker?.engineSegments() ?? [],
      warnings: [
        ...warnings,
        ...session.warnings,
        ...history.warnings(),
        ...stillWarning(config, best),
        ...(night.slept() ? [sleptThrough] : []),
      ],
    }
  } finally {
    await session.close()
  }
}

/** Such iterations repeat each other, and some variants do not carry them out again: their times are no others' measure. */
function stillWarning({ stop }: RunConfig, { stillFrom, summary }: RestartOutcome): string[] {
  const repeated = stillFrom === null ? 0 : summary.iterations - stillFrom
  if (stop !== 'none' || repeated === 0) return []
  return [
    `No centroid moved from iteration ${stillFrom} of ${summary.iterations} on: the iterations after it repeat it, which some variants notice and save.`,
  ]
}

function seeder(
  { points, features, config, kernel, seeds, begin = null }: ClusteringJob,
  { engine, device }: ResolvedRun,
  signal: AbortSignal,
) {
  const chosen = kernel ?? chooseKernel(engine, device.id, points, config.k)
  return (seedValue: number): Promise<Coordinates> => {
    if (begin !== null && seedValue === config.seed) return Promise.resolve(begin)
    return seeds && config.init === 'k-means++'
      ? seeds.centroids(points, config.k, seedValue, chosen, signal)
      : seed(points, { ...config, features }, seedValue, chosen, signal)
  }
}

async function runRestarts(
  context: RestartContext,
  from: Checkpoint | null,
  restartDone: ClusteringJob['restartDone'],
) {
  const restarts = [...(from?.finished ?? [])]
  let best = from?.best ?? null
  for (let run = restarts.length; best === null || run < context.config.nInit; run++) {
    const began = performance.now()
    const outcome = await runRestart(context, run, run === from?.restart ? from : null)
    await restartDone?.(outcome, performance.now() - began)
    restarts.push(outcome.summary)
    if (best === null || outcome.final.inertia < best.final.inertia) best = outcome
    context.tracker?.finished(restarts, best)
  }
  return { best, restarts }
}

/** Labels of a session that begins from these centroids (k, d) and goes no further. @throws LabError as `cluster` */
export async function readAgain(
  { points, config, resolved }: Pick<ClusteringJob, 'points' | 'config'> & { readonly resolved: ResolvedRun },
  centroids: Coordinates,
  signal: AbortSignal,
): Promise<Int32Array> {
  const { session } = await openPlanned(resolved, points, config, signal)
  try {
    await session.start(centroids)
    return (await session.read()).labels
  } finally {
    await session.close()
  }
}

/** A candidate that refuses the size gives way to the next, and the record says so. */
async function openFirst(
  { points, config, candidates, threads, processes }: ClusteringJob,
  signal: AbortSignal,
) {
  const warnings: string[] = []
  for (const [position, resolved] of candidates.entries()) {
    const { device, variant } = resolved
    try {
      const own = {
        ...(threads !== undefined && { threads }),
        ...(processes && { processGroup: processes.group }),
      }
      const { session, plan } = await openPlanned(resolved, points, config, signal, own)
      return { session, plan: sharedPlan(plan, processes), resolved, warnings }
    } catch (error) {
      const refused = error instanceof LabError && error.kind === 'input'
      if (!refused || position === candidates.length - 1) throw error
      warnings.push(`${variant} on ${device.name} was passed over: ${error.message}`)
    }
  }
  throw new LabError(
    'engine-missing',
    'engine.none',
    'No engine works on this machine: run the set-up again.',
  )
}

/** What ran is said: that it was not one process alone. */
function sharedPlan(plan: SessionPlan | null, processes: ClusteringJob['processes']): SessionPlan | null {
  if (plan === null || processes === undefined) return plan
  const { size, reading } = processes
  return { ...plan, reason: `${plan.reason} Each of ${size} processes took a part of the rows. ${reading}` }
}

/** The plan is made before anything is opened, and the session builds what it says. */
async function openPlanned(
  resolved: ResolvedRun,
  points: PreparedPoints,
  config: RunConfig,
  signal: AbortSignal,
  own: Pick<SessionConfig, 'threads' | 'processGroup'> = {},
) {
  const { engine, device, variant } = resolved
  const options = { ...sessionConfig(points, config, variant), ...own }
  const shape = { n: points.n, d: points.d, k: config.k }
  const planned = await orAborted(planRun(resolved, shape, options, config.regime), signal)
  const opening = engine.open(points, { ...options, ...regimeConfig(planned) }, device.id)
  const session = await GuardedSession.open(resolved, opening, signal)
  return { session, plan: carriedOut(planned, session.plan) ?? session.plan ?? null }
}

function sessionConfig(points: PreparedPoints, config: RunConfig, variant: string): SessionConfig {
  const { k, stop, empty, timing } = config
  const history = config.history || config.centroidHistory
  const live = history && timing !== 'total' && k * points.d <= liveCoordinates
  return {
    variant,
    k,
    stop,
    empty,
    timing,
    workers: workersFor(config, variant),
    threshold: thresholdFor(config, points),
    iterations: config.maxIterations * config.nInit,
    // Neither is known where an iteration looks at a few points.
    trackChanged: history && !isApproximate(variant),
    trackInertia: history && !isApproximate(variant),
    trackCentroids: config.centroidHistory || live,
  }
}
