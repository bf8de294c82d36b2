import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Nobody asked for anything for so long: the page has what it draws. */
const idleMs = 1000

interface CollectorOptions {
  readonly type: 'major'
  readonly execution: 'sync'
  /** Gives free pages back to the system, too. */
  readonly flavor: 'last-resort'
}

/** V8's own collector, which programs see only when they ask for it. */
function collector(): (options: CollectorOptions) => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return typeof collect === 'function' ? (collect as (options: CollectorOptions) => void) : () => undefined
}

/**
 * Reading a file leaves behind more memory than the table takes, which a process that then waits keeps for a long
 * time (115 against 66 MiB for a million rows of eight numbers). It is given back as soon as nothing is asked for;
 * that takes some 50 ms, and never falls into a run or a measurement.
 */
export class IdleGarbageCollector {
  #timer: ReturnType<typeof setTimeout> | null = null
  #collect: (() => void) | null

  /** @param isBusy times are being taken, or work is under way */
  constructor(
    private readonly isBusy: () => boolean,
    collect: (() => void) | null = null,
  ) {
    this.#collect = collect
  }

  /** Something was left behind, or asked for before it was given back. */
  soon(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#now(), idleMs)
    this.#timer.unref()
  }

  /** Only where something waits to be given back. */
  later(): void {
    if (this.#timer !== null) this.soon()
  }

  #now(): void {
    if (this.isBusy()) return this.soon()
    this.#timer = null
    this.#collect ??= () => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    this.#collect()
  }
}
