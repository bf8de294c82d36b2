import type { IterationTime } from '@shared/benchmark/document'
import type { PhaseTimings } from '@shared/run-record'
import type { IterationStats } from '../engines/engine'

const parts = ['assignMs', 'updateMs', 'convergeMs', 'iterateMs'] as const
type Part = (typeof parts)[number]
/** Times of single iterations are drawn as a curve: of more, only the first are kept. */
const maxIterationTimes = 1000

/** What a run took before it went on elsewhere; the time until somebody said so is not in it. */
export interface SpentTimes {
  readonly uploadMs: number
  readonly initMs: number
  readonly downloadMs: number
  readonly totalMs: number
  readonly sums: Readonly<Record<Part, number | null>>
}

/**
 * Adds up the phases of all restarts. The total is wall time from the upload to the last result, so that what
 * no phase covers (compilation, the host's share, under `total` the iterations themselves) stands in `otherMs`.
 */
export class Stopwatch {
  initMs = 0
  downloadMs = 0
  /** Of all restarts. */
  finalAssignMs = 0
  /** By the outer clock, from the start of the first to the end of the last iteration of each restart. */
  iteratingMs = 0
  /** Waited for the machine to wake up: no time of the run. */
  pausedMs = 0
  readonly iterationTimes: IterationTime[] = []
  readonly #began = performance.now()
  readonly #sums: Record<Part, number | null> = {
    assignMs: null,
    updateMs: null,
    convergeMs: null,
    iterateMs: null,
  }
  readonly #uploadedMs: number
  readonly #spentMs: number

  /** @param before what the same run took on another engine. */
  constructor(before: SpentTimes | null = null) {
    this.#uploadedMs = before?.uploadMs ?? 0
    this.#spentMs = before?.totalMs ?? 0
    if (before === null) return
    this.initMs = before.initMs
    this.downloadMs = before.downloadMs
    this.#sums = { ...before.sums }
  }

  /** What the run took until now. @param uploadMs of the present session */
  spent(uploadMs: number): SpentTimes {
    const { initMs, downloadMs } = this
    const totalMs = this.#totalMs()
    return { uploadMs: this.#uploadedMs + uploadMs, initMs, downloadMs, totalMs, sums: { ...this.#sums } }
  }

  iteration(stats: IterationStats): void {
    const parted = parts.some((part) => stats[part] !== null)
    for (const part of parts) this.#add(part, stats[part])
    // Granularity `iterations`: the whole iteration is all that was timed.
    if (!parted) this.#add('iterateMs', stats.totalMs)
    if (stats.totalMs !== null && this.iterationTimes.length < maxIterationTimes) this.#keep(stats)
  }

  /** The final assignment stands with those of the iterations; as they do, under `other` where nothing is timed inside. */
  finalAssignment(ms: number): void {
    this.finalAssignMs += ms
    const part = (['assignMs', 'iterateMs'] as const).find((name) => this.#sums[name] !== null)
    if (part !== undefined) this.#add(part, ms)
  }

  /** @param loadMs reading the file and preparing the points. @param ownUploadMs of the present session */
  stop(loadMs: number, ownUploadMs: number): PhaseTimings {
    const totalMs = this.#totalMs()
    const uploadMs = this.#uploadedMs + ownUploadMs
    const { initMs, downloadMs } = this
    const iterating = parts.reduce((sum, part) => sum + (this.#sums[part] ?? 0), 0)
    const otherMs = Math.max(0, totalMs - uploadMs - initMs - iterating - downloadMs)
    return { loadMs, uploadMs, initMs, ...this.#sums, downloadMs, otherMs, totalMs }
  }

  #totalMs(): number {
    return this.#spentMs + performance.now() - this.#began - this.pausedMs
  }

  #keep({ iteration, assignMs, updateMs, convergeMs, iterateMs, totalMs }: IterationStats): void {
    this.iterationTimes.push({ iteration, assignMs, updateMs, convergeMs, iterateMs, totalMs })
  }

  #add(part: Part, ms: number | null): void {
    if (ms !== null) this.#sums[part] = (this.#sums[part] ?? 0) + ms
  }
}
