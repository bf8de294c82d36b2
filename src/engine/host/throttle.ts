import type { RunObserver } from '@engine/run/types'
import { bulkChunkBytes } from '@shared/ipc'

type Iterations = Parameters<RunObserver['iterations']>[0]

/** Calls `act` at most once every `ms` milliseconds and lets the rest go: for values of which the newest counts. */
export function atMostEvery<T>(ms: number, act: (value: T) => void, now = performance.now.bind(performance)) {
  let last = -Infinity
  return (value: T): void => {
    if (now() - last < ms) return
    last = now()
    act(value)
  }
}

/**
 * Joins reports of iterations so that at most one goes out every `ms` milliseconds. No row is lost: what
 * waits goes out with the next report, with a change of restart, or with `flush`.
 */
export class IterationsThrottle {
  private waiting: Iterations | null = null
  private last = -Infinity

  constructor(
    private readonly ms: number,
    private readonly send: (progress: Iterations) => void,
    private readonly now = performance.now.bind(performance),
  ) {}

  add(progress: Iterations): void {
    if (this.waiting !== null && this.waiting.restart !== progress.restart) this.flush()
    const rows = this.waiting ? [...this.waiting.rows, ...progress.rows] : progress.rows
    this.waiting = { ...progress, rows }
    if (this.now() - this.last >= this.ms) this.flush()
  }

  flush(): void {
    if (this.waiting === null) return
    const { centroids } = this.waiting
    // Large centroid sets would make every report a bulk message; the record brings them at the end.
    const small = centroids !== null && centroids.byteLength <= bulkChunkBytes ? centroids : null
    this.send({ ...this.waiting, centroids: small })
    this.waiting = null
    this.last = this.now()
  }
}
