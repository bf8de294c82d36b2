import type { Coordinates } from '../engines/engine'
import type { RunPhase } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import type { IterationRow } from '@shared/run-record'
import { RateLimit } from '@shared/throttle'
import type { PreparedPoints } from '../dataset/prepared'
import type { ResolvedRun, RunObserver } from './types'
import { ruleThreshold } from './units'

/** Shortest time between two calls of the observer. */
const intervalMs = 100

/** Rows in one report: more could not be told apart in a live plot; the record brings all of them. */
const maxRows = 256

/** Tells the observer at most about ten times a second what happened, whatever the iteration time. */
export class Reporter {
  readonly #observer: RunObserver
  readonly #points: PreparedPoints
  readonly #config: RunConfig
  readonly #resolved: ResolvedRun
  readonly #began: number
  #rows: IterationRow[] = []
  #centroids: Coordinates | null = null
  readonly #rowsLimit = new RateLimit(intervalMs)
  readonly #phaseLimit = new RateLimit(intervalMs)
  #pendingPhase: { readonly phase: RunPhase; readonly restart: number } | null = null

  /** @param spentMs what the run took before, on an engine that was lost */
  constructor(
    observer: RunObserver,
    points: PreparedPoints,
    config: RunConfig,
    resolved: ResolvedRun,
    spentMs = 0,
  ) {
    this.#began = performance.now() - spentMs
    this.#observer = observer
    this.#points = points
    this.#config = config
    this.#resolved = resolved
  }

  /** The phases of later restarts are reported only where there is time between them, and then late. */
  phase(phase: RunPhase, restart: number): void {
    this.#pendingPhase = { phase, restart }
    if (restart === 0 || phase === 'finishing' || this.#phaseLimit.isDue) this.#reportPhase()
  }

  /** @param centroids (k, d) engine units after the last row, where the engine gave them. */
  iterations(rows: readonly IterationRow[], centroids: Coordinates | null): void {
    // One by one: tiny problems give more rows at once than a call takes arguments.
    for (const row of rows) this.#rows.push(row)
    this.#centroids = centroids ?? this.#centroids
    if (this.#phaseLimit.isDue) this.#reportPhase()
    if (this.#rowsLimit.isDue) this.flush()
  }

  /** Tells what is left, once at the end. */
  flush(): void {
    const rows = this.#rows
    const last = rows.at(-1)
    if (last === undefined) return
    const { engine, device, variant } = this.#resolved
    const elapsedMs = performance.now() - this.#began
    const centroids = this.#centroids === null ? null : this.#points.toFile(this.#centroids, this.#config.k)
    this.#rows = []
    this.#rowsLimit.restart()
    this.#observer.iterations({
      restart: last.run,
      engine: engine.id,
      device: device.id,
      variant,
      rows: thinned(rows),
      centroids,
      elapsedMs,
      threshold: ruleThreshold(this.#config, this.#points),
    })
  }

  #reportPhase(): void {
    if (this.#pendingPhase === null) return
    const { phase, restart } = this.#pendingPhase
    this.#pendingPhase = null
    this.#phaseLimit.restart()
    this.#observer.phase(phase, restart)
  }
}

/** At most `maxRows` of the rows, evenly, always with the last. */
function thinned(rows: readonly IterationRow[]): readonly IterationRow[] {
  const step = Math.ceil(rows.length / maxRows)
  return step <= 1 ? rows : rows.filter((_, index) => (rows.length - 1 - index) % step === 0)
}
