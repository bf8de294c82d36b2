import { setImmediate as nextTurn } from 'node:timers/promises'
import { cancelled } from '@shared/errors'

/** Longest stretch of work before other events of the process get their turn. */
const sliceMs = 20

/** Throws `cancelled` once the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled()
}

/** Cuts long host work into slices, so that the event loop stays alive and a cancel is heard. */
export class Slices {
  readonly #signal: AbortSignal | undefined
  #began = performance.now()

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Call once per block of work: gives way when the slice is used up. @throws LabError `cancelled`. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < sliceMs) return
    await nextTurn()
    throwIfAborted(this.#signal)
    this.#began = performance.now()
  }

  /** What is done on other threads; not waited for any more once the signal aborts. @throws LabError `cancelled`. */
  async elsewhere<T>(work: Promise<T>): Promise<T> {
    const answer = this.#signal === undefined ? await work : await orAborted(work, this.#signal)
    this.#began = performance.now()
    return answer
  }
}

/** The answer of a generator that gives way between its steps. @throws LabError `cancelled` */
export async function finished<T>(work: Generator<undefined, T>, slices: Slices): Promise<T> {
  let step = work.next()
  while (step.done !== true) {
    await slices.next()
    step = work.next()
  }
  return step.value
}

/**
 * Answers the promise, or rejects with `cancelled` as soon as the signal aborts. The work goes on behind it:
 * whoever owns what it uses waits for the promise itself before closing.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined)
    return Promise.reject(cancelled())
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(cancelled())
    signal.addEventListener('abort', abort, { once: true })
    const stopListening = () => signal.removeEventListener('abort', abort)
    promise.then(resolve, reject).finally(stopListening)
  })
}
