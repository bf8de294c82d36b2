import type { Coordinates } from '../engines/engine'
import type { IterationRow } from '@shared/run-record'

const largestCentroidBytes = 256 * 2 ** 20
/** A record crosses processes and is drawn: beyond this a history is a file of its own, not a table. */
const maxRows = 100_000

/** Rows and centroids of the iterations of all restarts, as far as they were asked for and fit in memory. */
export class HistoryKeeper {
  readonly rows: IterationRow[] = []
  readonly centroids: Coordinates[] = []
  readonly #keepRows: boolean
  #keepCentroids: boolean
  #bytes = 0
  #rowsLeftOut = 0
  #centroidsCut = false

  constructor(keepRows: boolean, keepCentroids: boolean) {
    this.#keepRows = keepRows || keepCentroids
    this.#keepCentroids = keepCentroids
  }

  /** Goes on after iterations of another session. Centroids that were not kept with them end those kept. */
  resume(rows: readonly IterationRow[], centroids: readonly Coordinates[]): void {
    for (const [i, row] of rows.entries()) this.add(row, centroids.at(i) ?? null)
    this.#centroidsCut = this.#keepCentroids && centroids.length < rows.length
    if (this.#centroidsCut) this.#keepCentroids = false
  }

  /** A restart ended earlier than it had come before. */
  endAt(run: number, iteration: number): void {
    const isBeyond = (row: IterationRow | undefined) => row?.run === run && row.iteration > iteration
    while (isBeyond(this.rows.at(-1))) this.rows.pop()
    this.centroids.splice(this.rows.length)
  }

  /** Centroids stay aligned with the rows: once one was left out, so are all that follow. */
  add(row: IterationRow, centroids: Coordinates | null): void {
    if (!this.#keepRows) return
    if (this.rows.length >= maxRows) {
      this.#rowsLeftOut++
      return
    }
    this.rows.push(row)
    if (!this.#keepCentroids || centroids === null) return
    this.#bytes += centroids.byteLength
    if (this.#bytes > largestCentroidBytes) {
      this.#keepCentroids = false
      this.#centroidsCut = true
      return
    }
    this.centroids.push(centroids)
  }

  warnings(): string[] {
    const warnings: string[] = []
    if (this.#centroidsCut) {
      warnings.push(
        `Only the first ${this.centroids.length} iterations keep their centroids: more would take too much memory.`,
      )
    }
    if (this.#rowsLeftOut > 0) {
      warnings.push(
        `The history keeps the first ${maxRows} iterations; ${this.#rowsLeftOut} more were left out.`,
      )
    }
    return warnings
  }
}
