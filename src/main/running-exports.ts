/** Exports of several files that main leads, by run, so that a cancel ends them between two files as well. */
export class RunningExports {
  readonly #byRun = new Map<string, Set<AbortController>>()

  /** Carries out the work with a signal that `cancel` of its run aborts. */
  async track<T>(runId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const others = this.#byRun.get(runId) ?? new Set()
    this.#byRun.set(runId, others.add(controller))
    try {
      return await work(controller.signal)
    } finally {
      others.delete(controller)
      if (others.size === 0) this.#byRun.delete(runId)
    }
  }

  cancel(runId: string): void {
    for (const controller of this.#byRun.get(runId) ?? []) controller.abort()
  }
}
