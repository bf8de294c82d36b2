import { nearestLabels } from '@engine/export/assignment'
import type { RunResult } from '@engine/run/run'
import { ByteCache } from './byte-cache'

const cacheBytes = 64 * 2 ** 20

interface Computation {
  readonly key: string
  readonly controller: AbortController
  readonly labels: Promise<Int32Array>
}

/**
 * Labels of points against the centroids of an iteration, computed again when somebody looks at it. One
 * computation at a time: whoever drags through the iterations wants the newest, and the one before is cancelled.
 */
export class IterationLabels {
  private readonly cache = new ByteCache<Int32Array>(cacheBytes)
  /** Kept when it is done too: the chunks of labels too large for the cache are computed once. */
  private newest: Computation | null = null

  /**
   * @param at which centroids of the best restart: 0 the initial ones, i those after iteration i
   * @returns (n) label of each point
   * @throws LabError `cancelled` when another one was asked for meanwhile, or the run was forgotten
   */
  async of(result: RunResult, centroids: Float32Array, at: number): Promise<Int32Array> {
    const key = keyOf(result.record.id, at)
    const known = this.cache.get(key)
    if (known !== undefined) return known
    if (this.newest?.key === key) return this.newest.labels
    this.newest?.controller.abort()
    return this.begin(key, result, centroids).labels
  }

  /** What is known already. */
  known(runId: string, at: number): Int32Array | undefined {
    return this.cache.get(keyOf(runId, at))
  }

  forget(runId: string): void {
    this.cache.removeAll(keyOf(runId, ''))
    if (this.newest?.key.startsWith(keyOf(runId, '')) !== true) return
    this.newest.controller.abort()
    this.newest = null
  }

  private begin(key: string, result: RunResult, centroids: Float32Array): Computation {
    const controller = new AbortController()
    const labels = nearestLabels(result, centroids, controller.signal)
    const computation = { key, controller, labels }
    this.newest = computation
    labels.then(
      (computed) => {
        if (!controller.signal.aborted) this.cache.set(key, computed)
      },
      () => {
        // What was cancelled must be computed anew when it is asked for again.
        if (this.newest === computation) this.newest = null
      },
    )
    return computation
  }
}

function keyOf(runId: string, at: number | ''): string {
  return `${runId} ${at}`
}
