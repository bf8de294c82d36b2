import { randomUUID } from 'node:crypto'
import { resolveFeatures } from '@engine/dataset/features'
import { samePreparation } from '@engine/dataset/same-preparation'
import { prepare } from '@engine/dataset/prepare'
import { fitProjection, type FittedProjection } from '@engine/projection/fitted-projection'
import type { RunResult } from '@engine/run/run'
import { LabError } from '@shared/errors'
import type { Projection, ProjectionSource } from '@shared/projection'
import { Newest } from './newest'
import type { HostStore } from './store'

/** The window looks at one at a time; the one before it is kept for a change of mind. */
const mostKept = 2

/** Principal components that the window has asked for, by id; freed with their dataset. */
export class Projections {
  readonly #store: HostStore
  readonly #kept = new Map<string, FittedProjection>()
  readonly #fitting = new Newest()

  constructor(store: HostStore) {
    this.#store = store
  }

  /**
   * Fits the components of the points that a configuration would cluster; a newer fit on the same dataset takes
   * the place of one under way.
   * @throws LabError as `resolveFeatures` and `prepare`, `cancelled`
   */
  async fit({ datasetId, features, missing, scaling }: ProjectionSource): Promise<Projection> {
    const dataset = this.#store.dataset(datasetId)
    const columns = resolveFeatures(dataset, features).map(({ index }) => index)
    const closed = this.#store.untilClosed(datasetId)
    const fitted = await this.#fitting.run(datasetId, closed, async (signal) =>
      fitProjection(await prepare(dataset, { features: columns, missing, scaling }, signal), signal),
    )
    const id = randomUUID()
    this.#kept.set(id, fitted)
    const oldest = this.#kept.keys().next().value
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest)
    closed.addEventListener('abort', () => this.close(id), { once: true })
    return { id, ...fitted.facts }
  }

  /** @throws LabError `projection.unknown` */
  get(id: string): FittedProjection {
    const found = this.#kept.get(id)
    if (found !== undefined) return found
    throw new LabError(
      'input',
      'projection.unknown',
      'These principal components are no longer kept: choose the axis once more.',
    )
  }

  /** A projection of the very points a run clustered. @throws LabError `projection.unknown`, `projection.other` */
  of(id: string, { points }: RunResult): FittedProjection {
    const found = this.get(id)
    if (samePreparation(found.preparation, points.preparation)) return found
    throw new LabError(
      'input',
      'projection.other',
      'The principal components on the axis are those of other features or another scaling than the run: choose the axis once more.',
    )
  }

  close(id: string): void {
    this.#kept.delete(id)
  }
}
