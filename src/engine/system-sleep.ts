import { orAborted } from './slices'

/** A clock of the day that gains so much on the one that measures was set, or ran on while the machine slept. */
const gainMs = 2000
/** Two sound clocks may part by this share of the time. */
const clockError = 1e-3
/** A machine that was to sleep and still works after this time does not sleep, whether or not anybody says so. */
const maxWaitMs = 60_000
const lookMs = 500

/** Whether the machine slept since this was made. */
export interface SleepWatch {
  slept(): boolean
}

/**
 * The sleep of the machine: told by the system where there is a window, and in any case seen afterwards by the clock of
 * the day, which runs on, while on Linux the one that measures stands still. Work waits for its end between two
 * iterations, so that no time counts that is none.
 */
export class SystemSleep {
  #began: number | null = null
  #nights = 0
  #wake: () => void = () => undefined
  #over: Promise<void> = Promise.resolve()

  /** @param now the clocks: of the day, and the one that measures */
  constructor(private readonly now = () => ({ day: Date.now(), measured: performance.now() })) {}

  get isAsleep(): boolean {
    return this.#began !== null
  }

  /** The machine is about to sleep. */
  begin(): void {
    if (this.isAsleep) return
    this.#nights++
    this.#began = this.now().measured
    this.#over = new Promise((resolve) => (this.#wake = resolve))
    this.#lookAfter(this.watchClocks())
  }

  /** It is awake again. */
  end(): void {
    this.#began = null
    this.#wake()
  }

  /** Waits until the machine is awake. @throws LabError `cancelled` */
  async over(signal: AbortSignal): Promise<void> {
    if (this.isAsleep) await orAborted(this.#over, signal)
  }

  watch(): SleepWatch {
    const nights = this.#nights
    const clocks = this.watchClocks()
    const wasAsleep = this.isAsleep
    return { slept: () => wasAsleep || this.#nights !== nights || clocks.slept() }
  }

  private watchClocks(): SleepWatch {
    const began = this.now()
    return {
      slept: () => {
        const { day, measured } = this.now()
        const passed = measured - began.measured
        return day - began.day - passed > gainMs + passed * clockError
      },
    }
  }

  /** Nobody is to wait for ever for a word that does not come. */
  #lookAfter(clocks: SleepWatch): void {
    const mine = this.#began
    const timer = setInterval(() => {
      const isMine = mine !== null && this.#began === mine
      if (isMine && !clocks.slept() && this.now().measured - mine <= maxWaitMs) return
      clearInterval(timer)
      if (isMine) this.end()
    }, lookMs)
    timer.unref()
  }
}

/** Of this machine. */
export const systemSleep = new SystemSleep()
