/**
 * Work that belongs to runs, or to what else has an id, and ends when somebody says so: exports of the host, and those of several files that main
 * leads, which a cancel ends between two files as well.
 */
export class SignalsByRun {
  private readonly underWay = new Map<AbortController, readonly string[]>()

  /** Carries out the work with a signal that `abort` of any of its runs aborts. */
  async during<T>(runIds: readonly string[], work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    this.underWay.set(controller, runIds)
    try {
      return await work(controller.signal)
    } finally {
      this.underWay.delete(controller)
    }
  }

  abort(runId: string): void {
    for (const [controller, runIds] of this.underWay) if (runIds.includes(runId)) controller.abort()
  }
}
