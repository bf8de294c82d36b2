/** Lets work through while it is open; while it is closed, whoever comes waits. */
export class Gate {
  readonly #told: (isHolding: boolean) => void
  #isClosed = false
  #release: (() => void) | null = null
  #waiting: Promise<void> = Promise.resolve()

  /** @param told that somebody began to wait, or waits no longer */
  constructor(told: (isHolding: boolean) => void) {
    this.#told = told
  }

  /** Somebody waits here. */
  get isHolding(): boolean {
    return this.#release !== null
  }

  close(): void {
    this.#isClosed = true
  }

  open(): void {
    this.#isClosed = false
    const release = this.#release
    if (release === null) return
    this.#release = null
    this.#told(false)
    release()
  }

  pass(): Promise<void> {
    if (!this.#isClosed) return Promise.resolve()
    if (this.#release === null) {
      this.#waiting = new Promise((resolve) => (this.#release = resolve))
      this.#told(true)
    }
    return this.#waiting
  }
}
