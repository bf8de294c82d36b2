import { preparationOf } from '@engine/dataset/preparation'
import type { Dataset } from '@engine/dataset/dataset'
import { samePreparation } from '@engine/dataset/same-preparation'
import { processorKernel } from '@engine/init/choose-kernel'
import { SeedCache } from '@engine/init/seed-cache'
import type { RunResult, WarmStart } from '@engine/run/types'
import type { RunConfig } from '@shared/run-config'
import type { RunResults } from './run-results'

/** Seedings that look at all points again and again. */
const seededByDistance: readonly RunConfig['init'][] = ['k-means++', 'k-means||']

/** Fetching and drawing a result take the processor first. */
const quietMs = 200

/** What live runs take over from the runs before them, and what is prepared for the next while nobody asks. */
export class WarmRuns {
  readonly #seeds = new SeedCache()
  #ahead = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly runs: Pick<RunResults, 'pointsAlike' | 'held'>) {}

  /**
   * Whatever is prepared gives way.
   * @param after the run on screen: where other points are clustered into as many clusters, they begin from its own, for a picture at
   *   once; undefined where the result is to be the one of its seeds
   * @throws LabError as `preparationOf`
   */
  start(dataset: Dataset, config: RunConfig, after?: string): WarmStart {
    this.#ahead.abort()
    clearTimeout(this.#timer)
    const { preparation } = preparationOf(dataset, config)
    const before = after === undefined ? null : this.runs.held(after)
    const isAlike =
      before?.dataset === dataset &&
      before.record.k === config.k &&
      seededByDistance.includes(config.init) &&
      !samePreparation(before.points.preparation, preparation)
    return {
      points: this.runs.pointsAlike(dataset, preparation),
      seeds: this.#seeds,
      clusters: isAlike ? before : null,
    }
  }

  /** Seeds for a few more and a few fewer clusters, once the window has drawn this result and until the next run begins. */
  goOn({ points, record }: RunResult): void {
    const { config } = record
    if (config.init !== 'k-means++' || points.x instanceof Float64Array) return
    const ahead = (this.#ahead = new AbortController())
    const kernel = processorKernel()
    if (kernel.name !== 'native') return
    this.#timer = setTimeout(() => {
      this.#seeds.ahead(points, config.k, config.seed, kernel, ahead.signal).catch(() => undefined)
    }, quietMs)
    this.#timer.unref()
  }
}
