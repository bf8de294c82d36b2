import type { Coordinates } from '../engines/engine'
import type { PlannedCell } from '@shared/benchmark/document'
import type { OutsideSystem, SuiteConfig } from '@shared/benchmark/suite'
import type { TimingLevel } from '@shared/run-config'
import { precisionOfArray } from '../dataset/coordinates'
import { thresholdFor } from '../run/units'
import type { Case, ContenderRunner, Step, WholeRun } from './contender-runner'
import { labelUnitOf } from './exactness'
import type { OutsideRunner, OutsideSession } from './outside/outside'

/** Whether the same data and start give the same bytes: scikit-learn adds up in the order its threads end. */
const deterministic: Readonly<Record<OutsideSystem, boolean>> = {
  numpy: true,
  'scikit-learn': false,
  scipy: true,
}

/** A baseline outside this program: the data are passed once for all its runs. */
export class OutsideContenderRunner implements ContenderRunner {
  readonly cell: PlannedCell
  readonly deterministic: boolean
  readonly precision = 'float64'
  readonly labelUnit: number
  readonly hasPhases = false
  readonly #system: OutsideSystem
  readonly #runner: OutsideRunner
  readonly #of: Case
  #session: OutsideSession | null = null

  constructor(cell: PlannedCell, system: OutsideSystem, runner: OutsideRunner, of: Case) {
    this.cell = cell
    this.deterministic = deterministic[system]
    this.labelUnit = labelUnitOf('cpu', precisionOfArray(of.data.points.x))
    this.#system = system
    this.#runner = runner
    this.#of = of
  }

  async run(_timing: TimingLevel, signal: AbortSignal): Promise<WholeRun> {
    this.#session ??= await this.#prepare(this.#of.start, this.#of.config, signal)
    const { labels, centroids, iterations, totalMs } = await this.#session.run(signal)
    const unknown = {
      phases: null,
      hostDeviceBytesPerIteration: null,
      inertia: null,
      plan: null,
      stillFrom: null,
    }
    // From the start that was given on, all it does is iterate.
    const times = { totalMs, iteratingMs: totalMs, iterationTimes: [] }
    return { ...unknown, ...times, start: null, labels, centroids, iterations }
  }

  async step(centroids: Coordinates, signal: AbortSignal): Promise<Step> {
    const session = await this.#prepare(centroids, { stop: 'none', maxIterations: 1 }, signal)
    try {
      return { labels: null, centroids: (await session.run(signal)).centroids }
    } finally {
      await session.close()
    }
  }

  async close(): Promise<void> {
    await this.#session?.close()
    this.#session = null
  }

  #prepare(
    centroids: Coordinates,
    config: Pick<SuiteConfig, 'stop' | 'maxIterations'>,
    signal: AbortSignal,
  ): Promise<OutsideSession> {
    const { points } = this.#of.data
    const { tolerance } = this.#of.config
    const job = {
      points,
      k: centroids.length / points.d,
      initialCentroids: centroids,
      config: { stop: config.stop, maxIterations: config.maxIterations },
      threshold: thresholdFor({ stop: config.stop, tolerance }, points),
    }
    return this.#runner.prepare(this.#system, job, signal)
  }
}
