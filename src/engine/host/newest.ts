/** Work of which only the newest for a key is wanted: a newer one cancels the one before. */
export class Newest {
  readonly #underWay = new Map<string, AbortController>()

  /** Carries out the work with a signal that aborts as soon as a newer one begins, or when `until` does. */
  async run<T>(key: string, until: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#underWay.get(key)?.abort()
    const controller = new AbortController()
    this.#underWay.set(key, controller)
    try {
      return await work(AbortSignal.any([controller.signal, until]))
    } finally {
      if (this.#underWay.get(key) === controller) this.#underWay.delete(key)
    }
  }
}
