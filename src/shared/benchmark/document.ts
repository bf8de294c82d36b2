import type { ImportOverrides } from '../dataset'
import type { Precision } from '../precision'
import type { MachineFacts, PhaseTimings } from '../run-record'
import type { EngineId, VariantId } from '../variant'
import type { Suite } from './suite'

/** Place of a contender's times: one dataset, one k, one contender. Unique in a document. */
export interface CellKey {
  /** Name of the dataset in the suite. */
  readonly dataset: string
  readonly k: number
  /** See `contenderKey`. */
  readonly contender: string
}

/** Before anything runs: what a contender is expected to take. */
export interface PlannedCell extends CellKey {
  readonly n: number
  readonly d: number
  /** What will really run; null for a contender outside this program. */
  readonly engine: EngineId | null
  readonly device: string | null
  readonly deviceName: string | null
  /** The variant, or the outside system's name. */
  readonly variant: VariantId
  /** All runs of the cell, verification included; null where nothing is known. */
  readonly predictedMs: number | null
  /** Beside the dataset itself, on the device; null where nothing is known. */
  readonly memoryBytes: number | null
  /** One sentence: why the cell is skipped; null when it runs. */
  readonly skipped: string | null
  /** What the cell makes in the place of what the suite asks for, so that it ends in time; absent: all that is asked for. */
  readonly shortened?: Shortened
}

/** Work of a cell that would take longer than the suite allows. */
export interface Shortened {
  /** Of a run; fewer than the suite asks for only where their number is fixed. */
  readonly iterations: number
  readonly warmup: number
  readonly repeats: number
}

/** What was measured of a cell whose times are scaled to more iterations than it made. */
export interface ScaledFrom {
  /** Made in each run. */
  readonly iterations: number
  /** Total of each counted run in the order they ran. */
  readonly totalsMs: readonly number[]
  readonly phases: PhaseTimings | null
}

/**
 * What the check against the reference gave. `agrees` decides whether a time counts:
 * - every label looked at is exact in the sense of spec section 3, against float64 distances, at the start and
 *   at the end of the run, and
 * - the means of both steps lie within the tolerance of the contract.
 */
export interface Verification {
  readonly agrees: boolean
  /** One sentence: what differed; null when it agrees. */
  readonly reason: string | null
  /** Who made the reference run, e.g. `cpu/sequential`; null when none was affordable. */
  readonly reference: string | null
  /** Share of the points whose final label is that of the reference run; null without one, or with fewer iterations than it. */
  readonly labelAgreement: number | null
  /** Largest absolute difference of a coordinate of a final centroid, in ranges of its feature; null without a reference. */
  readonly centroidDifference: number | null
  /** Iterations of the reference run; null without one. */
  readonly referenceIterations: number | null
  /** Labels that were compared with float64 distances. */
  readonly labelsChecked: number
}

/** One iteration as timed: the mean over the instrumented repeats. */
export interface IterationTime {
  /** 1-based. */
  readonly iteration: number
  readonly assignMs: number | null
  readonly updateMs: number | null
  readonly convergeMs: number | null
  readonly iterateMs: number | null
  readonly totalMs: number | null
}

export const cellStates = ['measured', 'approximate', 'disagrees', 'skipped', 'failed'] as const
export type CellState = (typeof cellStates)[number]

/** One row of the tables. */
export interface Measurement extends PlannedCell {
  readonly state: CellState
  /** One sentence for `approximate`, `disagrees`, `skipped` and `failed`; null for `measured`. */
  readonly reason: string | null
  readonly deterministic: boolean
  /** Of points and centroids as they ran; absent where nothing ran, and (float32) in documents of before it was kept. */
  readonly precision?: Precision
  /** How the counted runs were carried out, and one sentence why so; null outside this program, and where nothing ran. */
  readonly regime: string | null
  readonly regimeReason: string | null
  /** Of the runs that `phases` are of: iterations that are timed one by one may need another regime. */
  readonly phasesRegime: string | null
  /** Of a counted run; of a scaled row those that it is scaled to. */
  readonly iterations: number
  /** The iteration from which on no centroid moved; absent where the last one moved some, or it is not known. */
  readonly stillFrom?: number
  /** Final inertia, units of the scaled data; null when there is no result, or one of fewer iterations. */
  readonly inertia: number | null
  /** Of the result (spec section 3); absent where there is none, or one of fewer iterations than were asked for. */
  readonly resultSha256?: string
  /** Total of each counted run in the order they ran, measured without finer timing. */
  readonly totalsMs: readonly number[]
  /** From the start of the first to the end of the last iteration (outside this program: all its time) over their number, median of the counted runs. */
  readonly perIterationMs: number | null
  /** Mean over the instrumented runs; under `total` the iterations are known as a whole (`iterateMs`). */
  readonly phases: PhaseTimings | null
  /** Empty unless the timing was `iterations` or `phases`; at most the first 1000. */
  readonly iterationTimes: readonly IterationTime[]
  readonly hostDeviceBytesPerIteration: number | null
  readonly verification: Verification | null
  /** Where `iterations`, `totalsMs` and `phases` are not what was measured but scaled from it. */
  readonly scaledFrom?: ScaledFrom
}

export const benchmarkStates = ['running', 'paused', 'done', 'cancelled', 'interrupted'] as const
/** `interrupted`: the process that ran it ended; it can be resumed, as `paused` and `cancelled` can. */
export type BenchmarkState = (typeof benchmarkStates)[number]

/** A comparison with its results so far: what `benchmark.json` holds. */
export interface BenchmarkDocument {
  readonly format: 1
  readonly id: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly state: BenchmarkState
  readonly suite: Suite
  readonly machine: MachineFacts
  /** In the order of the suite: dataset, k, contender. */
  readonly plan: readonly PlannedCell[]
  /** Finished cells, in the order of the plan. */
  readonly rows: readonly Measurement[]
  /** What was found wrong with the data; documents of before it was kept have none. */
  readonly dataWarnings?: readonly DataWarnings[]
  /** Kept by the window's program only; none where no dataset is `loaded`. */
  readonly loadedFiles?: readonly LoadedFile[]
}

/** What a clustering of a dataset would warn of: rows and columns that are left out, doubtful quotes, ... */
export interface DataWarnings {
  /** Name of the dataset in the suite. */
  readonly dataset: string
  /** Sentences; at least one. */
  readonly warnings: readonly string[]
}

/** Which file a `loaded` dataset of a suite was: an id of the window means nothing once the program has ended. */
export interface LoadedFile {
  /** Name of the dataset in the suite. */
  readonly name: string
  /** Full path; the page never sees it. */
  readonly path: string
  /** Of its bytes, as FileFacts has it. */
  readonly sha256: string | null
  /** What was set by hand when it was read. */
  readonly overrides?: ImportOverrides
}

/** What a list of kept comparisons shows. */
export type BenchmarkSummary = Pick<BenchmarkDocument, 'id' | 'startedAt' | 'state'> & {
  readonly name: string
  readonly rows: number
  readonly cells: number
}

/** What was kept and cannot be read any more. */
export interface DamagedComparison {
  readonly id: string
  /** When its file was written last, ISO 8601. */
  readonly writtenAt: string
  /** One sentence: which file, what is wrong with it, what to do. */
  readonly sentence: string
}

/** All that is kept; comparisons newest first. */
export interface KeptComparisons {
  readonly comparisons: readonly BenchmarkSummary[]
  readonly damaged: readonly DamagedComparison[]
}
