import { endedReason } from '@shared/benchmark/cell-limit'
import type { PlannedCell } from '@shared/benchmark/document'
import type { Precision } from '@shared/precision'
import type { TimingLevel } from '@shared/run-config'
import { LabError } from '@shared/errors'
import type { Coordinates } from '../engines/engine'
import type { ContenderRunner, Step, WholeRun } from './contender-runner'

/** A cell that was foretold to keep its limit may take so many times as long; a prediction is rough. */
const timeoutFactor = 2

/** Whatever the limit: shorter times are a matter of what else the machine does. */
const minEndMs = 10_000

/** Of the error that ends a cell. */
export const endedCode = 'bench.cell-limit'

/**
 * A contender whose work in a cell, all runs and steps together, ends at twice the cell's limit (ten seconds at least), or
 * at the limit where nothing was foretold. An iteration that is under way is finished before that is heard.
 */
export class LimitedRunner implements ContenderRunner {
  readonly cell: PlannedCell
  readonly deterministic: boolean
  readonly precision: Precision
  readonly labelUnit: number
  readonly hasPhases: boolean
  readonly #inner: ContenderRunner
  readonly #limitMs: number
  readonly #endMs: number
  #spentMs = 0

  constructor(inner: ContenderRunner, limitMs: number, minMs = minEndMs) {
    const { cell, deterministic, precision, labelUnit, hasPhases } = inner
    this.cell = cell
    this.deterministic = deterministic
    this.precision = precision
    this.labelUnit = labelUnit
    this.hasPhases = hasPhases
    this.#inner = inner
    this.#limitMs = limitMs
    this.#endMs = cell.predictedMs === null ? limitMs : Math.max(timeoutFactor * limitMs, minMs)
  }

  run(timing: TimingLevel, signal: AbortSignal): Promise<WholeRun> {
    return this.#inTime(signal, (ending) => this.#inner.run(timing, ending))
  }

  step(centroids: Coordinates, signal: AbortSignal): Promise<Step> {
    return this.#inTime(signal, (ending) => this.#inner.step(centroids, ending))
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** @throws LabError `bench.cell-limit` once the time is used up */
  async #inTime<T>(signal: AbortSignal, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
    const leftMs = this.#endMs - this.#spentMs
    if (leftMs <= 0) throw this.#ended()
    const timeout = AbortSignal.timeout(Math.ceil(leftMs))
    const began = performance.now()
    try {
      return await work(AbortSignal.any([signal, timeout]))
    } catch (error) {
      if (signal.aborted || !timeout.aborted) throw error
      throw this.#ended()
    } finally {
      this.#spentMs += performance.now() - began
    }
  }

  #ended(): LabError {
    const reason = endedReason(this.#limitMs, this.#endMs, this.cell.predictedMs !== null)
    return new LabError('input', endedCode, reason)
  }
}
