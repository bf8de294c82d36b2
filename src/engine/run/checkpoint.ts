import type { EngineSegment, RestartSummary } from '@shared/run-record'
import type { Coordinates, IterationStats, SessionPlan } from '../engines/engine'
import type { HistoryKeeper } from './history'
import type { Checkpoint, KnownCentroids, ResolvedRun, RestartOutcome } from './types'
import type { Stopwatch } from './timings'

/** What a checkpoint is made of, besides what is kept here. */
interface CheckpointSources {
  readonly resolved: ResolvedRun
  /** Null where the engine does not report it. */
  readonly plan: SessionPlan | null
  readonly history: HistoryKeeper
  readonly stopwatch: Stopwatch
  readonly uploadMs: number
}

type IterationPosition = EngineSegment['from']

/** Follows a run, so that a checkpoint of it can be taken at any moment, also when its device is gone. */
export class CheckpointTracker {
  readonly #about: CheckpointSources
  readonly #engineSegments: readonly EngineSegment[]
  readonly #began: IterationPosition
  #restart: number
  #finished: readonly RestartSummary[]
  #best: RestartOutcome | null
  #initial: Coordinates | null = null
  #iterations = 0
  /** By the rule (true), by the limit (false), or not yet. */
  #end: boolean | null = null
  #latest: KnownCentroids | null = null
  #before: KnownCentroids | null = null

  constructor(about: CheckpointSources, from: Checkpoint | null) {
    this.#about = about
    this.#engineSegments = from?.engineSegments ?? []
    this.#restart = from?.restart ?? 0
    this.#began = { run: this.#restart, iteration: (from?.iterations ?? 0) + 1 }
    this.#finished = from?.finished ?? []
    this.#best = from?.best ?? null
  }

  /** A restart has its seeding. @param from where it goes on, or null */
  seeded(initial: Coordinates, from: Checkpoint | null): void {
    this.#initial = initial
    this.#iterations = from?.iterations ?? 0
    this.#end = from?.ended ? from.stopped : null
    this.#latest = from?.ended ?? from?.known ?? { iteration: 0, centroids: initial }
    this.#before = from?.known ?? null
  }

  /**
   * Iterations were carried out, those that a resumed run makes once more among them.
   * @param last centroids after the last of them, where the iterations do not bring their own
   * @param ended by the rule (true), by the limit (false), or not yet
   */
  advanced(done: readonly IterationStats[], last: Coordinates | null, ended: boolean | null): void {
    const end = done.at(-1)
    if (end === undefined) return
    this.#iterations = Math.max(this.#iterations, end.iteration)
    this.#end = ended
    const previous = knownOf(done.at(-2), null)
    if (previous !== null) this.#latest = previous
    const latest = knownOf(end, last)
    if (latest === null) return
    this.#before = this.#latest
    this.#latest = latest
  }

  /** A restart is over with all it came to. */
  finished(restarts: readonly RestartSummary[], best: RestartOutcome): void {
    this.#finished = [...restarts]
    this.#best = best
    this.#restart = restarts.length
    this.#initial = null
    this.#iterations = 0
    this.#end = null
    this.#latest = null
    this.#before = null
  }

  take(): Checkpoint {
    const { history, stopwatch, uploadMs } = this.#about
    const latest = this.#latest
    const ended = this.#end !== null && latest?.iteration === this.#iterations ? latest : null
    const isAhead = latest !== null && latest.iteration >= this.#iterations && this.#iterations > 0
    return {
      restart: this.#restart,
      finished: this.#finished,
      best: this.#best,
      initialCentroids: this.#initial,
      iterations: this.#iterations,
      ended,
      stopped: this.#end === true,
      known: isAhead ? this.#before : latest,
      rows: [...history.rows],
      centroidHistory: [...history.centroids],
      engineSegments: this.engineSegments(),
      spent: stopwatch.spent(uploadMs),
    }
  }

  /** Engines so far, the present one to where it is now. */
  engineSegments(): readonly EngineSegment[] {
    const { resolved, plan } = this.#about
    const { engine, device, variant } = resolved
    const to = this.#position()
    const did = to.run > this.#began.run || to.iteration >= this.#began.iteration
    const on = { engine: engine.id, device: device.id, deviceName: device.name }
    const segment = { ...on, variant, regime: plan?.regime ?? null }
    return did ? [...this.#engineSegments, { ...segment, from: this.#began, to }] : this.#engineSegments
  }

  /** The newest iteration; after a restart its last. */
  #position(): IterationPosition {
    const last = this.#finished.at(-1)
    if (this.#iterations === 0 && last !== undefined) return { run: last.run, iteration: last.iterations }
    return { run: this.#restart, iteration: this.#iterations }
  }
}

/** Null where the iteration did not bring its centroids, or one of them was dropped: no session begins from such. */
function knownOf(stats: IterationStats | undefined, last: Coordinates | null): KnownCentroids | null {
  const centroids = stats?.centroids ?? last
  if (stats === undefined || centroids === null || !centroids.every(Number.isFinite)) return null
  // A copy: iterations may share the memory of all that were answered with them.
  return { iteration: stats.iteration, centroids: centroids.slice() }
}
