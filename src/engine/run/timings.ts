import type { IterationTime } from '@shared/benchmark/document'
import type { PhaseTimings } from '@shared/run-record'
import type { IterationStats } from '../engines/engine'

const parts = ['assignMs', 'updateMs', 'convergeMs', 'iterateMs'] as const
type Part = (typeof parts)[number]
/** Times of single iterations are drawn as a curve: of more, only the first are kept. */
const mostIterationTimes = 1000

/**
 * Adds up the phases of all restarts. The total is wall time from the upload to the last result, so that what
 * no phase covers (compilation, the host's share, under `total` the iterations themselves) stands in `otherMs`.
 */
export class Stopwatch {
  initMs = 0
  downloadMs = 0
  /** By the outer clock, from the start of the first to the end of the last iteration of each restart. */
  iteratingMs = 0
  readonly iterationTimes: IterationTime[] = []
  readonly #began = performance.now()
  readonly #sums: Record<Part, number | null> = {
    assignMs: null,
    updateMs: null,
    convergeMs: null,
    iterateMs: null,
  }

  iteration(stats: IterationStats): void {
    const parted = parts.some((part) => stats[part] !== null)
    for (const part of parts) this.#add(part, stats[part])
    // Granularity `iterations`: the whole iteration is all that was timed.
    if (!parted) this.#add('iterateMs', stats.totalMs)
    if (stats.totalMs !== null && this.iterationTimes.length < mostIterationTimes) this.#keep(stats)
  }

  /** @param loadMs reading the file and preparing the points. */
  stop(loadMs: number, uploadMs: number): PhaseTimings {
    const totalMs = performance.now() - this.#began
    const { initMs, downloadMs } = this
    const iterating = parts.reduce((sum, part) => sum + (this.#sums[part] ?? 0), 0)
    const otherMs = Math.max(0, totalMs - uploadMs - initMs - iterating - downloadMs)
    return { loadMs, uploadMs, initMs, ...this.#sums, downloadMs, otherMs, totalMs }
  }

  #keep({ iteration, assignMs, updateMs, convergeMs, iterateMs, totalMs }: IterationStats): void {
    this.iterationTimes.push({ iteration, assignMs, updateMs, convergeMs, iterateMs, totalMs })
  }

  #add(part: Part, ms: number | null): void {
    if (ms !== null) this.#sums[part] = (this.#sums[part] ?? 0) + ms
  }
}
