import type { MachineFacts } from '@shared/run-record'
import type { DeviceFloors } from '@engine/engines/engine'
import type { Configuration } from './configurations'

/**
 * - `measured`: everything was measured
 * - `cut`: the time for it ran out; `reason` says what is missing
 * - `unsuitable`: the variant refused the problem, for want of memory
 * - `wrong`: it did not give what the contract asks for, so it was not timed
 * - `failed`: it broke
 */
export type Outcome = 'measured' | 'cut' | 'unsuitable' | 'wrong' | 'failed'

/** Milliseconds of one iteration, from several stretches of iterations. */
export interface IterationTimes {
  readonly best: number
  readonly median: number
  readonly stretches: readonly number[]
  /** In a stretch, behind one that was not counted. */
  readonly iterations: number
}

/** A run to convergence: relative-shift 1e-4, at most 300 iterations. */
export interface WholeRun {
  /** Wall time from `start` to the last iteration, best of the runs; without upload and final labels. */
  readonly ms: number
  readonly runs: number
  readonly iterations: number
  /** False: cut off by the clock, or at the limit. */
  readonly converged: boolean
}

/** One variant on one device on one configuration. */
export interface Entry {
  readonly configuration: Configuration
  readonly engine: string
  readonly device: string
  readonly variant: string
  readonly outcome: Outcome
  readonly reason: string | null
  /** Upload and preparation. */
  readonly openMs: number | null
  readonly labelsChecked: number
  readonly centroidError: number | null
  readonly iteration: IterationTimes | null
  readonly floorMs: number | null
  readonly run: WholeRun | null
}

/** What is written to a file. */
export interface Report {
  readonly date: string
  readonly commit: string
  readonly machine: MachineFacts
  readonly secondsPerEntry: number
  readonly scale: number
  /** By device id. */
  readonly floors: Readonly<Record<string, DeviceFloors | null>>
  readonly entries: readonly Entry[]
}
