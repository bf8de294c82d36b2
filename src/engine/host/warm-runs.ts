import { preparationOf } from '@engine/dataset/preparation'
import type { Dataset } from '@engine/dataset/dataset'
import { processorKernel } from '@engine/init/choose-kernel'
import { SeedCache } from '@engine/init/seed-cache'
import type { RunResult, WarmStart } from '@engine/run/types'
import type { RunConfig } from '@shared/run-config'
import type { RunResults } from './run-results'

/** Fetching and drawing a result take the processor first. */
const quietMs = 200

/** What live runs take over from the runs before them, and what is prepared for the next while nobody asks. */
export class WarmRuns {
  readonly #seeds = new SeedCache()
  #ahead = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly runs: Pick<RunResults, 'pointsAlike'>) {}

  /** Whatever is prepared gives way. @throws LabError as `preparationOf` */
  start(dataset: Dataset, config: RunConfig): WarmStart {
    this.#ahead.abort()
    clearTimeout(this.#timer)
    const { preparation } = preparationOf(dataset, config)
    return { points: this.runs.pointsAlike(dataset, preparation), seeds: this.#seeds }
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
