import type { Coordinates } from '@engine/engines/engine'
import { nearestLabels } from '@engine/export/assignment'
import type { RunResult } from '@engine/run/types'
import { ByteCache } from '@shared/byte-cache'

const cacheBytes = 64 * 2 ** 20
/** The time line, the Steps view and a figure that is saved may each wait for one. */
const maxAtOnce = 3

interface Computation {
  readonly key: string
  readonly controller: AbortController
  readonly labels: Promise<Int32Array>
}

/**
 * Labels of points against the centroids of an iteration, computed again when somebody looks at it. Whoever drags
 * through the iterations wants the newest: of more than a few under way the oldest is cancelled.
 */
export class IterationLabels {
  private readonly cache = new ByteCache<Int32Array>({ bytes: cacheBytes })
  private readonly underWay = new Map<string, Computation>()
  /** Kept when it is done too: the chunks of labels too large for the cache are computed once. */
  private newest: Computation | null = null

  /**
   * @param at which centroids of the best restart: 0 the initial ones, i those after iteration i
   * @returns (n) label of each point
   * @throws LabError `cancelled` when others were asked for meanwhile, or the run was forgotten
   */
  async of(result: RunResult, centroids: Coordinates, at: number): Promise<Int32Array> {
    const key = keyOf(result.record.id, at)
    const known = this.cache.get(key)
    if (known !== undefined) return known
    if (this.newest?.key === key) return this.newest.labels
    const begun = this.underWay.get(key) ?? this.begin(key, result, centroids)
    this.newest = begun
    return begun.labels
  }

  /** What is known already. */
  known(runId: string, at: number): Int32Array | undefined {
    return this.cache.get(keyOf(runId, at))
  }

  forget(runId: string): void {
    const own = keyOf(runId, '')
    this.cache.removeAll(own)
    for (const [key, { controller }] of this.underWay) if (key.startsWith(own)) controller.abort()
    if (this.newest?.key.startsWith(own) === true) this.newest = null
  }

  private begin(key: string, result: RunResult, centroids: Coordinates): Computation {
    this.makeRoom()
    const controller = new AbortController()
    const labels = nearestLabels(result, centroids, controller.signal)
    const computation = { key, controller, labels }
    this.underWay.set(key, computation)
    labels
      .then(
        (computed) => {
          if (!controller.signal.aborted) this.cache.set(key, computed, computed.byteLength)
        },
        () => {
          if (this.newest === computation) this.newest = null
        },
      )
      .finally(() => {
        if (this.underWay.get(key) === computation) this.underWay.delete(key)
      })
    return computation
  }

  /** What is cancelled must be computed anew when it is asked for again. */
  private makeRoom(): void {
    const [oldest] = this.underWay.values()
    if (oldest === undefined || this.underWay.size < maxAtOnce) return
    oldest.controller.abort()
    this.underWay.delete(oldest.key)
  }
}

function keyOf(runId: string, at: number | ''): string {
  return `${runId} ${at}`
}
