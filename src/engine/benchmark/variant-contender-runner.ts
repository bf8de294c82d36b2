import type { Coordinates } from '../engines/engine'
import type { PlannedCell } from '@shared/benchmark/document'
import type { Precision } from '@shared/precision'
import { defaultRunConfig, type RunConfig, type TimingLevel } from '@shared/run-config'
import type { PhaseTimings } from '@shared/run-record'
import { workersFor } from '@shared/workers'
import { precisionOfArray } from '../dataset/coordinates'
import { throwIfAborted } from '../slices'
import { cluster } from '../run/clustering'
import type { Clustering, ResolvedRun, RunObserver } from '../run/types'
import { GuardedSession } from '../run/guarded-session'
import type { Case, ContenderRunner, Step, WholeRun } from './contender-runner'
import { labelUnitOf } from './exactness'

const silent: RunObserver = { phase: () => undefined, iterations: () => undefined }

/** A variant on one of our engines: every run goes the way of an ordinary clustering. */
export class VariantContenderRunner implements ContenderRunner {
  readonly cell: PlannedCell
  readonly deterministic: boolean
  readonly precision: Precision
  readonly labelUnit: number
  readonly hasPhases = true
  readonly #run: ResolvedRun
  readonly #of: Case

  constructor(cell: PlannedCell, run: ResolvedRun, of: Case) {
    const { engine, variant } = run
    this.cell = cell
    this.deterministic = engine.variants().find(({ id }) => id === variant)?.deterministic ?? false
    this.precision = precisionOfArray(of.data.points.x)
    this.labelUnit = labelUnitOf(engine.id, this.precision)
    this.#run = run
    this.#of = of
  }

  async run(timing: TimingLevel, signal: AbortSignal): Promise<WholeRun> {
    throwIfAborted(signal)
    const { data, k, config } = this.#of
    const { engine, device, variant } = this.#run
    const chosen = { k, nInit: 1, engine: engine.id, device: device.id, variant, timing }
    const whole: RunConfig = { ...defaultRunConfig, ...config, ...chosen }
    const { points, features, loadMs } = data
    const job = { points, features, config: whole, candidates: [this.#run], loadMs, trustsEngine: true }
    return wholeRunOf(await cluster(job, silent, signal))
  }

  async step(centroids: Coordinates, signal: AbortSignal): Promise<Step> {
    const { points } = this.#of.data
    const session = await this.#open(centroids.length / points.d, signal)
    try {
      await session.start(centroids)
      const { labels } = await session.read()
      await session.start(centroids)
      await session.advance(1)
      return { labels, centroids: (await session.read()).centroids }
    } finally {
      await session.close()
    }
  }

  /** Labels against given centroids, for who does not tell its own. */
  async label(centroids: Coordinates, signal: AbortSignal): Promise<Int32Array> {
    const session = await this.#open(centroids.length / this.#of.data.points.d, signal)
    try {
      await session.start(centroids)
      return (await session.read()).labels
    } finally {
      await session.close()
    }
  }

  async close(): Promise<void> {
    // Sessions end with the run that opened them.
  }

  #open(k: number, signal: AbortSignal): Promise<GuardedSession> {
    throwIfAborted(signal)
    const { engine, device, variant } = this.#run
    const workers = workersFor(this.#of.config, variant)
    const quiet = { trackChanged: false, trackInertia: false, trackCentroids: false }
    const config = {
      variant,
      k,
      stop: 'none',
      threshold: 0,
      empty: 'keep',
      timing: 'total',
      workers,
      ...quiet,
    } as const
    return GuardedSession.open(this.#run, engine.open(this.#of.data.points, config, device.id), signal)
  }
}

function wholeRunOf(clustering: Clustering): WholeRun {
  const { best, timings, setUpMs, iteratingMs, finalAssignMs, iterationTimes } = clustering
  const { iterations, inertia } = best.summary
  const phases = withIterations(withoutSetUp(timings, setUpMs), iteratingMs + finalAssignMs)
  const { hostDeviceBytesPerIteration, plan } = clustering
  const { initialCentroids: start, labels, centroids } = best
  const { totalMs } = phases
  const times = { totalMs, iteratingMs, phases, iterationTimes, hostDeviceBytesPerIteration }
  const finalInertia = Number.isNaN(inertia) ? null : inertia
  return {
    ...times,
    plan,
    iterations,
    stillFrom: best.stillFrom,
    inertia: finalInertia,
    start,
    labels,
    centroids,
  }
}

/** A device that is opened and a kernel that is compiled are there for all runs after it. */
function withoutSetUp(timings: PhaseTimings, setUpMs: number): PhaseTimings {
  const { otherMs, totalMs } = timings
  return { ...timings, otherMs: Math.max(0, otherMs - setUpMs), totalMs: totalMs - setUpMs }
}

/** Under `total` no part is timed inside: iterations and final assignment stand as a whole, by the outer clock, and not under `other`. */
function withIterations(timings: PhaseTimings, iteratingMs: number): PhaseTimings {
  const { assignMs, updateMs, convergeMs, iterateMs, otherMs } = timings
  if ([assignMs, updateMs, convergeMs, iterateMs].some((part) => part !== null)) return timings
  return { ...timings, iterateMs: iteratingMs, otherMs: Math.max(0, otherMs - iteratingMs) }
}
