import { setTimeout as delay } from 'node:timers/promises'
import type { TimingLockState } from '@shared/benchmark/requests'
import { cancelled } from '@shared/errors'
import { orAborted } from '../slices'

/** Who asks for one thing asks for the next at once (a file in chunks, an export of several files): so long a comparison waits for it. */
const lingerMs = 100

/**
 * Keeps timed runs and all other work of a process apart: what is asked for during a timed run waits for its end, and the
 * next run waits until that work is done. Neither is refused, and no time is taken beside other work.
 */
export class TimingLock {
  readonly #report: (state: TimingLockState) => void
  readonly #waiting = new Set<() => void>()
  #isTiming = false
  #working = 0
  #lastEnd = Number.NEGATIVE_INFINITY
  #whenIdle: (() => void) | null = null

  constructor(report: (state: TimingLockState) => void = () => undefined) {
    this.#report = report
  }

  /** A timed run, begun when nothing else is at work. @throws LabError `cancelled`; what the work throws */
  async exclusive<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    while (!this.#isCalm) await this.#rest(signal)
    this.#isTiming = true
    try {
      return await work()
    } finally {
      this.#isTiming = false
      this.#release()
    }
  }

  /** Any other work: at once, or after the timed run that is under way. @throws LabError `cancelled` while it waits */
  async shared<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#isTiming) await this.#released(signal)
    else this.#working++
    try {
      return await work()
    } finally {
      this.#working--
      this.#lastEnd = performance.now()
      if (this.#working === 0) this.#whenIdle?.()
    }
  }

  get #isCalm(): boolean {
    return this.#working === 0 && performance.now() - this.#lastEnd >= lingerMs
  }

  async #rest(signal: AbortSignal): Promise<void> {
    this.#report({ waiting: 0, resting: true })
    try {
      await orAborted(this.#working > 0 ? this.#idle() : delay(lingerMs), signal)
    } finally {
      this.#report({ waiting: 0, resting: false })
    }
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => (this.#whenIdle = resolve))
  }

  /** Everybody who waits counts as being at work from here on: no run begins before them. */
  #release(): void {
    if (this.#waiting.size === 0) return
    for (const admit of this.#waiting) admit()
    this.#waiting.clear()
    this.#report({ waiting: 0, resting: false })
  }

  #released(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(cancelled())
    return new Promise((resolve, reject) => {
      const admit = () => {
        this.#working++
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(admit)
        this.#report({ waiting: this.#waiting.size, resting: false })
        reject(cancelled())
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(admit)
      this.#report({ waiting: this.#waiting.size, resting: false })
    })
  }
}
