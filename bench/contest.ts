import type { Points, Session } from '@engine/engines/engine'
import { LabError } from '@shared/errors'
import { CheckFailure } from '@tests/parity/check'
import type { Contender } from '@tests/parity/contenders'
import { sessionConfig } from '@tests/parity/session-config'
import { firstRows, type Blobs } from './blobs'
import {
  betterRun,
  iterationTimes,
  iterationsPerStretch,
  minTime,
  timeRun,
  timeStretch,
  timed,
} from './clocks'
import type { Configuration } from './configurations'
import type { Entry, Outcome, WholeRun } from './entry'
import { verify, type Sample, type Verified } from './verify'

/** Passes that an entry needs at least: a look at the labels, an iteration, its centroids, a stretch. */
const minPasses = 6
/** Multiply-adds that any engine does at once: no need to look ahead. */
const smallWork = 2e8
/** Points of a part at least: some regimes refuse fewer, though they take the whole. */
const minPart = 4096
const longEnoughMs = 20
const relativeShift = 1e-4
/** Of an entry's time, what the stretches may take. */
const stretchShare = 0.5
const wholeRuns = 3

/** One contender on one configuration: what is known of it so far, and the time it has left. */
export class Contest {
  readonly #contender: Contender
  readonly #configuration: Configuration
  readonly #blobs: Blobs
  #left: number
  readonly #limit: number
  #outcome: Outcome = 'measured'
  #reason: string | null = null
  #openMs: number | null = null
  #verified: Verified | null = null
  #iterationMs = Number.POSITIVE_INFINITY
  #stretches: number[] = []
  #iterations = 0
  #run: WholeRun | null = null

  constructor(contender: Contender, configuration: Configuration, blobs: Blobs, milliseconds: number) {
    this.#contender = contender
    this.#configuration = configuration
    this.#blobs = blobs
    this.#left = milliseconds
    this.#limit = milliseconds
  }

  /** Whether it still takes part. */
  get isOn(): boolean {
    return this.#outcome === 'measured'
  }

  /** Looks ahead, opens, verifies, and takes the time of a first iteration. */
  async prepare(sample: Sample): Promise<void> {
    await this.#guarded(async () => {
      const predicted = await this.#predict()
      if (predicted * minPasses > this.#limit) {
        const seconds = (predicted / 1000).toPrecision(2)
        this.#end('cut', `an iteration would take about ${seconds} s: not measured`)
        return
      }
      await this.#withSession('none', async (session) => {
        this.#verified = await verify(this.#contender, this.#configuration, session, this.#blobs, sample)
        this.#iterationMs = await timeStretch(session, this.#blobs.centroids, 1)
      })
    })
  }

  /** One stretch of iterations more, where time allows; the first one always. */
  async stretch(): Promise<void> {
    const iterations = iterationsPerStretch(this.#iterationMs)
    const cost = this.#iterationMs * (iterations + 1) + (this.#openMs ?? 0)
    const isAffordable = this.#left - cost > this.#limit * (1 - stretchShare)
    if (!this.isOn || (this.#stretches.length > 0 && !isAffordable)) return
    await this.#guarded(() =>
      this.#withSession('none', async (session) => {
        const ms = await timeStretch(session, this.#blobs.centroids, iterations)
        this.#stretches.push(ms)
        this.#iterations = iterations
        this.#iterationMs = Math.min(this.#iterationMs, ms)
      }),
    )
  }

  /** One run to convergence more, where time allows; the first one always, cut off where it would take too long. */
  async wholeRun(): Promise<void> {
    const isAffordable = this.#run !== null && this.#run.ms * 2 < this.#left && this.#run.runs < wholeRuns
    if (!this.isOn || (this.#run !== null && !isAffordable)) return
    await this.#guarded(() =>
      this.#withSession('relative-shift', async (session) => {
        const milliseconds = Math.max(this.#left, 1)
        const run = await timeRun(session, this.#blobs.centroids, milliseconds)
        this.#run = betterRun(this.#run, run)
        if (!run.converged && run.ms >= milliseconds) {
          this.#end('cut', `the run was cut off after ${run.iterations} iterations`)
        }
      }),
    )
  }

  entry(floorMs: number | null): Entry {
    return {
      configuration: this.#configuration,
      engine: this.#contender.engine.id,
      device: this.#contender.device.id,
      variant: this.#contender.variant,
      outcome: this.#outcome,
      reason: this.#reason,
      openMs: this.#openMs,
      labelsChecked: this.#verified?.labelsChecked ?? 0,
      centroidError: this.#verified?.centroidError ?? null,
      iteration: iterationTimes(this.#stretches, this.#iterations),
      floorMs,
      run: this.#run,
    }
  }

  /** Milliseconds of an iteration, from growing parts of the points; 0 where it can only be short. */
  async #predict(): Promise<number> {
    const { n, d, k } = this.#configuration
    if (n * d * k <= smallWork) return 0
    let rows = Math.max(k, minPart, Math.ceil(smallWork / 64 / (k * d)))
    for (;;) {
      if (rows >= n / 2) return 0
      const ms = await this.#iterationOn(firstRows(this.#blobs.points, rows))
      if (ms > longEnoughMs) return (ms * n) / rows
      rows *= 8
    }
  }

  async #iterationOn(points: Points): Promise<number> {
    const session = await this.#open(points, 'none')
    try {
      return await minTime(() => timeStretch(session, this.#blobs.centroids, 1), longEnoughMs)
    } finally {
      await session.close()
    }
  }

  async #withSession(
    stop: 'none' | 'relative-shift',
    work: (session: Session) => Promise<void>,
  ): Promise<void> {
    const { answer: session, ms } = await timed(() => this.#open(this.#blobs.points, stop))
    this.#openMs = Math.min(this.#openMs ?? ms, ms)
    try {
      await work(session)
    } finally {
      await session.close()
    }
  }

  #open(points: Points, stop: 'none' | 'relative-shift'): Promise<Session> {
    const { engine, device, variant } = this.#contender
    const quiet = { trackChanged: false, trackInertia: false, trackCentroids: false }
    const threshold = relativeShift * this.#blobs.meanVariance
    const { k } = this.#configuration
    return engine.open(points, sessionConfig(variant, { k, stop, threshold, ...quiet }), device.id)
  }

  /** Takes the time, and turns what went wrong into an outcome. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    const began = performance.now()
    try {
      await work()
    } catch (error) {
      const isRefused = error instanceof LabError && error.kind === 'input'
      const broken = isRefused ? 'unsuitable' : 'failed'
      const message = error instanceof Error ? error.message : String(error)
      this.#end(error instanceof CheckFailure ? 'wrong' : broken, message)
    }
    this.#left -= performance.now() - began
  }

  #end(outcome: Outcome, reason: string): void {
    this.#outcome = outcome
    this.#reason = reason
  }
}
