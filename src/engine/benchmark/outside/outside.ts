import type { OutsideReport } from '@shared/benchmark/requests'
import type { OutsideSystem, SuiteConfig } from '@shared/benchmark/suite'
import type { AnyPoints, Coordinates } from '../../engines/engine'

/** One clustering by a system outside this program, from a given start. */
export interface OutsideJob {
  /** Given to the system in float64, as it would hold data read from a file; the conversion is not counted. */
  readonly points: AnyPoints
  readonly k: number
  /** (k, d), engine units. */
  readonly initialCentroids: Coordinates
  readonly config: Pick<SuiteConfig, 'stop' | 'maxIterations'>
  /** See `SessionConfig.threshold`. A rule that the system does not know is no reason to stop earlier or later. */
  readonly threshold: number
}

export interface OutsideRun {
  /** (n) nearest of `centroids`. */
  readonly labels: Int32Array
  /** (k, d) engine units. */
  readonly centroids: Float64Array
  readonly iterations: number
  /** Of the clustering alone: neither the start of the process nor the passing of the data. */
  readonly totalMs: number
}

/** The system with the points in its memory. Not re-contenderRunner. */
export interface OutsideSession {
  /** @throws LabError `cancelled`; `engine-lost` with one sentence when the process ended. */
  run(signal: AbortSignal): Promise<OutsideRun>
  /** Never throws. */
  close(): Promise<void>
}

export interface OutsideRunner {
  reports(): Promise<readonly OutsideReport[]>
  /** @throws LabError with one sentence: why the system cannot take part in this run. */
  prepare(system: OutsideSystem, job: OutsideJob, signal: AbortSignal): Promise<OutsideSession>
}
