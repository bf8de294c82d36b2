import type { RunObserver } from '@engine/run/types'
import { bulkChunkBytes } from '@shared/ipc'
import { RateLimit } from '@shared/throttle'

type Iterations = Parameters<RunObserver['iterations']>[0]

/**
 * Joins reports of iterations so that at most one goes out every `ms` milliseconds. No row is lost: what
 * waits goes out with the next report, with a change of restart, or with `flush`.
 */
export class IterationsThrottle {
  private waiting: Iterations | null = null
  private readonly limit: RateLimit

  constructor(
    ms: number,
    private readonly send: (progress: Iterations) => void,
  ) {
    this.limit = new RateLimit(ms)
  }

  add(progress: Iterations): void {
    if (this.waiting !== null && this.waiting.restart !== progress.restart) this.flush()
    const rows = this.waiting ? [...this.waiting.rows, ...progress.rows] : progress.rows
    this.waiting = { ...progress, rows }
    if (this.limit.isDue) this.flush()
  }

  flush(): void {
    if (this.waiting === null) return
    const { centroids } = this.waiting
    // Large centroid sets would make every report a bulk message; the record brings them at the end.
    const small = centroids !== null && centroids.byteLength <= bulkChunkBytes ? centroids : null
    this.send({ ...this.waiting, centroids: small })
    this.waiting = null
    this.limit.restart()
  }
}
