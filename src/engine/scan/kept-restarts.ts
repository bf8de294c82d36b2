import type { RestartSummary } from '@shared/run-record'
import type { ScanRestart } from '@shared/scan'
import type { RestartOutcome } from '../run/types'

/** Plain data of `KeptRestarts`, as it is stored. */
export interface StoredRestarts {
  readonly k: number
  readonly rows: readonly ScanRestart[]
  readonly best: RestartOutcome | null
  readonly references: readonly number[]
  readonly spentMs: number
}

/** What is finished of a k, so that a scan that was cancelled goes on from there. */
export class KeptRestarts {
  readonly k: number
  readonly rows: ScanRestart[]
  /** Inertias of the references of the gap statistic. */
  readonly references: number[]
  /** Wall time of all parts. */
  spentMs: number
  #best: RestartOutcome | null

  constructor(k: number, stored: Omit<StoredRestarts, 'k'> | null = null) {
    this.k = k
    this.rows = [...(stored?.rows ?? [])]
    this.references = [...(stored?.references ?? [])]
    this.spentMs = stored?.spentMs ?? 0
    this.#best = stored?.best ?? null
  }

  /** Of those finished; its labels are empty where they were not stored. */
  get best(): RestartOutcome | null {
    return this.#best
  }

  has(restart: number): boolean {
    return this.rows.some((row) => row.restart === restart)
  }

  /** Numbers of those finished, ascending. */
  finished(): readonly number[] {
    return this.rows.map(({ restart }) => restart).sort((a, b) => a - b)
  }

  add(row: ScanRestart, outcome: RestartOutcome): void {
    this.rows.push(row)
    this.#best = this.#best === null ? outcome : better(this.#best, outcome)
  }

  summaries(): RestartSummary[] {
    return this.rows.map(({ restart, seed, iterations, stopped, inertia }) => ({
      ...{ run: restart, seed, iterations, stopped, inertia },
    }))
  }

  /** Without labels: the centroids give them again. */
  stored(): StoredRestarts {
    const { k, rows, references, spentMs } = this
    const best = this.#best && { ...this.#best, labels: new Int32Array() }
    return { k, rows: [...rows], best, references: [...references], spentMs }
  }
}

/** The one of the smaller inertia, of equals the earlier. */
export function better(one: RestartOutcome, other: RestartOutcome): RestartOutcome {
  const [a, b] = [one.final.inertia, other.final.inertia]
  if (a === b) return one.summary.run <= other.summary.run ? one : other
  return b < a ? other : one
}
