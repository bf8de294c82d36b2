type Clock = () => number

/** Lets something happen at most once every so many milliseconds. */
export class RateLimit {
  readonly #ms: number
  readonly #now: Clock
  #last = Number.NEGATIVE_INFINITY

  constructor(ms: number, now: Clock = () => performance.now()) {
    this.#ms = ms
    this.#now = now
  }

  get isDue(): boolean {
    return this.#now() - this.#last >= this.#ms
  }

  /** It happens now: the next time is counted from here. */
  restart(): void {
    this.#last = this.#now()
  }

  /** Whether it is due; if so, it happens now. */
  take(): boolean {
    const { isDue } = this
    if (isDue) this.restart()
    return isDue
  }
}

/** Calls `act` at most once every `ms` milliseconds and lets the rest go: for values of which the newest counts. */
export function atMostEvery<T>(ms: number, act: (value: T) => void, now?: Clock): (value: T) => void {
  const limit = new RateLimit(ms, now)
  return (value) => {
    if (limit.take()) act(value)
  }
}
