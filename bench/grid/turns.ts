import type { Session } from '@engine/engines/engine'

/** Does work that keeps the device busy while no other process does. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

export const withoutTurns: Turn = (work) => work()

/** The session whose device work waits for its turn, call by call. */
export function sessionInTurns(session: Session, turn: Turn): Session {
  return {
    uploadMs: session.uploadMs,
    hostDeviceBytesPerIteration: session.hostDeviceBytesPerIteration,
    plan: session.plan,
    start: (centroids) => turn(() => session.start(centroids)),
    advance: (budget, signal) => turn(() => session.advance(budget, signal)),
    read: () => turn(() => session.read()),
    close: () => session.close(),
  }
}

/** One turn at a time, in the order of asking. */
export class TurnQueue {
  readonly #waiting: { readonly owner: number; readonly go: () => void }[] = []
  #owner: number | null = null

  /** @param go called when the turn has come */
  ask(owner: number, go: () => void): void {
    this.#waiting.push({ owner, go })
    this.#pass()
  }

  /** Ends the turn of the owner, and what it waits for. */
  giveBack(owner: number): void {
    for (let at = this.#waiting.length; at-- > 0;) {
      if (this.#waiting[at].owner === owner) this.#waiting.splice(at, 1)
    }
    if (this.#owner === owner) this.#owner = null
    this.#pass()
  }

  #pass(): void {
    if (this.#owner !== null) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#owner = next.owner
    next.go()
  }
}
