/** Lets work through while it is open; while it is closed, whoever comes waits. */
export class Gate {
  readonly #report: (isHolding: boolean) => void
  #isClosed = false
  #release: (() => void) | null = null
  #waiting: Promise<void> = Promise.resolve()

  /** @param report that somebody began to wait, or waits no longer */
  constructor(report: (isHolding: boolean) => void) {
    this.#report = report
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
    this.#report(false)
    release()
  }

  pass(): Promise<void> {
    if (!this.#isClosed) return Promise.resolve()
    if (this.#release === null) {
      this.#waiting = new Promise((resolve) => (this.#release = resolve))
      this.#report(true)
    }
    return this.#waiting
  }
}
