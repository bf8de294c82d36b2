import { randomUUID } from 'node:crypto'
import type { Dataset } from '@engine/dataset/dataset'
import { preparationOf } from '@engine/dataset/preparation'
import type { Preparation } from '@engine/dataset/prepared'
import { samePreparation } from '@engine/dataset/same-preparation'
import { prepare } from '@engine/dataset/prepare'
import { fitProjection, type FittedProjection } from '@engine/projection/fitted-projection'
import type { RunResult } from '@engine/run/types'
import { LabError } from '@shared/errors'
import { maxComponents, type Projection, type ProjectionSource } from '@shared/projection'
import { Newest } from './newest'
import type { HostStore } from './store'

/** The window looks at one at a time; the one before it is kept for a change of mind. */
const maxKept = 2
/** Of the scores of all that are kept. */
const maxScoreBytes = 256 * 2 ** 20
/** As many are offered of any points, whatever they take: two axes and another to change to. */
const minComponents = 3

interface Kept {
  readonly fitted: FittedProjection
  /** Takes back what waits for the dataset to close. */
  readonly release: () => void
}

/** Principal components that the window has asked for, by id; freed with their dataset. */
export class Projections {
  readonly #store: HostStore
  readonly #kept = new Map<string, Kept>()
  readonly #fitting = new Newest()

  constructor(
    store: HostStore,
    private readonly maxBytes = maxScoreBytes,
  ) {
    this.#store = store
  }

  /**
   * Fits the components of the points that a configuration would cluster, fewer of very many points; a newer fit on the same dataset takes
   * the place of one under way.
   * @throws LabError as `preparationOf` and `prepare`, `cancelled`
   */
  async fit({ datasetId, ...choice }: ProjectionSource): Promise<Projection> {
    const dataset = this.#store.dataset(datasetId)
    const { preparation } = preparationOf(dataset, choice)
    const closed = this.#store.untilClosed(datasetId)
    const fitted = await this.#fitting.run(datasetId, closed, async (signal) =>
      this.#fit(dataset, preparation, signal),
    )
    const id = randomUUID()
    const close = () => this.close(id)
    closed.addEventListener('abort', close, { once: true })
    this.#kept.set(id, { fitted, release: () => closed.removeEventListener('abort', close) })
    this.#makeRoom()
    return { id, ...fitted.facts }
  }

  /** Points that a run holds are not made a second time. */
  async #fit(dataset: Dataset, preparation: Preparation, signal: AbortSignal): Promise<FittedProjection> {
    const held = this.#store.runs.pointsAlike(dataset, preparation)
    const points = held ?? (await prepare(dataset, preparation, signal))
    const fitting = Math.floor(this.maxBytes / (points.n * Float32Array.BYTES_PER_ELEMENT))
    const most = Math.min(maxComponents, Math.max(minComponents, fitting))
    return await fitProjection(points, most, signal)
  }

  /** The newest stays, whatever it takes. */
  #makeRoom(): void {
    let bytes = [...this.#kept.values()].reduce((sum, { fitted }) => sum + fitted.bytes, 0)
    for (const [id, { fitted }] of [...this.#kept].slice(0, -1)) {
      if (this.#kept.size <= maxKept && bytes <= this.maxBytes) return
      this.close(id)
      bytes -= fitted.bytes
    }
  }

  /** @throws LabError `projection.unknown` */
  get(id: string): FittedProjection {
    const found = this.#kept.get(id)?.fitted
    if (found !== undefined) return found
    throw new LabError(
      'input',
      'projection.unknown',
      'These principal components are no longer kept: choose the axis again.',
    )
  }

  /** A projection of the very points a run clustered. @throws LabError `projection.unknown`, `projection.other` */
  of(id: string, { points }: RunResult): FittedProjection {
    const found = this.get(id)
    if (samePreparation(found.preparation, points.preparation)) return found
    throw new LabError(
      'input',
      'projection.other',
      'The principal components on the axis are those of other features or another scaling than the run: choose the axis again.',
    )
  }

  close(id: string): void {
    this.#kept.get(id)?.release()
    this.#kept.delete(id)
  }
}
