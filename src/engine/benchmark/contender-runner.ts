import type { IterationTime, PlannedCell } from '@shared/benchmark/document'
import type { SuiteConfig } from '@shared/benchmark/suite'
import type { Precision } from '@shared/precision'
import type { TimingLevel } from '@shared/run-config'
import type { PhaseTimings } from '@shared/run-record'
import type { Centroids } from './exactness'
import type { Coordinates, SessionPlan } from '../engines/engine'
import type { CaseData } from './dataset-cache'

/** What all contenders of a case share. */
export interface Case {
  readonly data: CaseData
  readonly k: number
  /** (k, d) engine units: where every contender begins. */
  readonly start: Coordinates
  readonly config: SuiteConfig
}

/** One clustering from beginning to end. */
export interface WholeRun {
  /** Wall time with transfers, without loading and without what is set up once (a device, compilation). */
  readonly totalMs: number
  readonly iterations: number
  /** From which on no centroid moved; null where the last one moved some, or it is not known. */
  readonly stillFrom: number | null
  /** From the start of the first to the end of the last iteration; null where it is not known apart. */
  readonly iteratingMs: number | null
  readonly phases: PhaseTimings | null
  readonly iterationTimes: readonly IterationTime[]
  readonly hostDeviceBytesPerIteration: number | null
  /** What really ran; null where the contender does not report it. */
  readonly plan: SessionPlan | null
  /** Units of the scaled data; null where the contender does not report it. */
  readonly inertia: number | null
  /** (k, d) engine units: where it began; null where the contender is given it and has no choice. */
  readonly start: Coordinates | null
  readonly labels: Int32Array
  /** (k, d) engine units. */
  readonly centroids: Centroids
}

/** One iteration from given centroids. */
export interface Step {
  /** (n) against the given centroids; null where the contender does not report it. */
  readonly labels: Int32Array | null
  /** After the update. */
  readonly centroids: Centroids
}

/** One contender of a case at work. Not re-contenderRunner. */
export interface ContenderRunner {
  readonly cell: PlannedCell
  readonly deterministic: boolean
  /** What its points and centroids are held in. */
  readonly precision: Precision
  /** See `labelUnits`. */
  readonly labelUnit: number
  /** Whether finer timing than `total` is known here. */
  readonly hasPhases: boolean
  /** @throws LabError `input` for a refusal, `cancelled`, and what engines throw */
  run(timing: TimingLevel, signal: AbortSignal): Promise<WholeRun>
  /** @param centroids (k', d) engine units, none of them NaN */
  step(centroids: Coordinates, signal: AbortSignal): Promise<Step>
  /** Never throws. */
  close(): Promise<void>
}
