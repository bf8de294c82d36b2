import { adviceAfter } from '@shared/device-loss'
import { LabError } from '@shared/errors'
import type { Coordinates, Session, SessionPlan } from '../engines/engine'
import { orAborted } from '../slices'
import type { ResolvedRun } from './types'

/** Tiny problems do a million iterations a second: their rows must not pile up between two looks at a cancel. */
const maxIterations = 4096

/** Sessions of cancelled runs whose engine is still ending its last call. */
const closing = new Set<Promise<unknown>>()

function letClose(work: Promise<unknown>): Promise<unknown> {
  const quiet = work.catch(() => undefined)
  closing.add(quiet)
  return quiet.finally(() => closing.delete(quiet))
}

/** Waits for them: a driver whose threads are at work does not survive the end of its process. */
export async function sessionsClosed(): Promise<void> {
  await Promise.all(closing)
}

/**
 * A session whose calls answer at once when the run is cancelled, although the engine may need a moment more:
 * it is closed only when its last call has ended. A device that dies gets a sentence with a way on.
 */
export class GuardedSession {
  readonly uploadMs: number
  readonly hostDeviceBytesPerIteration: number
  readonly plan: SessionPlan | undefined
  readonly #session: Session
  readonly #resolved: ResolvedRun
  readonly #signal: AbortSignal
  #last: Promise<unknown> = Promise.resolve()

  private constructor(session: Session, resolved: ResolvedRun, signal: AbortSignal) {
    this.uploadMs = session.uploadMs
    this.hostDeviceBytesPerIteration = session.hostDeviceBytesPerIteration
    this.plan = session.plan
    this.#session = session
    this.#resolved = resolved
    this.#signal = signal
  }

  /** Waits for the engine's `open`, or closes what it opens after a cancel. */
  static async open(
    resolved: ResolvedRun,
    opening: Promise<Session>,
    signal: AbortSignal,
  ): Promise<GuardedSession> {
    try {
      return new GuardedSession(await orAborted(opening, signal), resolved, signal)
    } catch (error) {
      void letClose(opening.then((session) => session.close()))
      throw explainLoss(error, resolved)
    }
  }

  /** As known so far: devices that share the rows can be lost on the way. */
  get warnings(): readonly string[] {
    return this.#session.warnings ?? []
  }

  start(centroids: Coordinates): Promise<void> {
    return this.#guard(() => this.#session.start(centroids))
  }

  /** Budget: as many iterations as are left, a few thousand at most, and about a tenth of a second. */
  advance(left: number): ReturnType<Session['advance']> {
    const iterations = Math.min(left, maxIterations)
    return this.#guard(() => this.#session.advance({ iterations, milliseconds: 100 }, this.#signal))
  }

  /** (k, d) after the last iteration; null where the engine does not report it. */
  centroids(): Coordinates | null {
    return this.#session.centroids?.() ?? null
  }

  read(): ReturnType<Session['read']> {
    return this.#guard(() => this.#session.read())
  }

  /** Never throws: what went wrong before is what the person must hear. */
  async close(): Promise<void> {
    const closed = letClose(this.#last.then(() => this.#session.close()))
    if (!this.#signal.aborted) await closed
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#last = running.catch(() => undefined)
    try {
      return await orAborted(running, this.#signal)
    } catch (error) {
      throw explainLoss(error, this.#resolved)
    }
  }
}

/** `engine-lost` says which engine it was and what to try next; everything else stays as it is. */
export function explainLoss(error: unknown, { engine, device }: ResolvedRun): unknown {
  if (!(error instanceof LabError) || error.kind !== 'engine-lost') return error
  const details = [error.message, error.details].filter(Boolean).join('\n')
  return new LabError(
    'engine-lost',
    error.code,
    `The ${engine.id} engine lost its device ${device.name} in the middle of the run: run again, or choose the ${adviceAfter(engine.id)} engine.`,
    details,
  )
}
