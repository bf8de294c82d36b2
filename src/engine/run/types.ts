import type { RunProcesses } from '../processes/run-processes'
import type { Dataset } from '@engine/dataset/dataset'
import type { PreparedPoints } from '@engine/dataset/prepared'
import type { Coordinates, Engine, SessionPlan } from '@engine/engines/engine'
import type { IterationTime } from '@shared/benchmark/document'
import type { ColumnInfo } from '@shared/dataset'
import type { RunPhase } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import type { EngineSegment, IterationRow, PhaseTimings, RestartSummary, RunRecord } from '@shared/run-record'
import type { Device, EngineId, VariantId } from '@shared/variant'
import type { SeedingProvider } from '../init/kernel'
import type { SeedCache } from '../init/seed-cache'
import type { FinalPass } from './final-pass'
import type { HistoryKeeper } from './history'
import type { SpentTimes } from './timings'

/** What really runs, after `auto` was resolved. */
export interface ResolvedRun {
  readonly engine: Engine
  readonly device: Device
  readonly variant: VariantId
}

/** What the loop tells while it works. Called at most about ten times a second, whatever the iteration time. */
export interface RunObserver {
  phase(phase: RunPhase, restart: number): void
  iterations(progress: {
    readonly restart: number
    readonly engine: EngineId
    readonly device: string
    readonly variant: VariantId
    /** Since the last call, thinned evenly when there are very many; the record holds all. */
    readonly rows: readonly IterationRow[]
    /** (k, d) units of the file, or null where toFile is not defined. */
    readonly centroids: Float64Array | null
    readonly elapsedMs: number
    /** See `ruleThreshold`. */
    readonly threshold: number
  }): void
  /**
   * There is something to go on from; `take` may be called at any time, also after a failure. Where nobody
   * listens, nothing is kept for it.
   */
  checkpointReady?(take: () => Checkpoint): void
}

/** (k, d) engine units, as they were after an iteration; 0: the seeding. */
export interface KnownCentroids {
  readonly iteration: number
  readonly centroids: Coordinates
}

/** Where a run stood: what it takes to go on with it on another engine. Plain data, sent and stored as it is. */
export interface Checkpoint {
  /** 0-based, under way. */
  readonly restart: number
  readonly finished: readonly RestartSummary[]
  /** Of those finished. */
  readonly best: RestartOutcome | null
  /** (k, d) engine units: the seeding of the restart under way; null where it was not made yet. */
  readonly initialCentroids: Coordinates | null
  /** Iterations of the restart that were carried out. */
  readonly iterations: number
  /** The last of them ended the restart; null where it goes on. */
  readonly ended: KnownCentroids | null
  /** It ended by the stop rule. */
  readonly stopped: boolean
  /**
   * Where to begin again: before the last iteration, where that is known. What is carried out once more gives the new
   * session the labels and the inertia that the iteration after it is compared with; it is not counted again.
   */
  readonly known: KnownCentroids | null
  readonly rows: readonly IterationRow[]
  readonly centroidHistory: readonly Coordinates[]
  readonly engineSegments: readonly EngineSegment[]
  readonly spent: SpentTimes
}

/** A run that goes on where another engine lost its device. */
export interface Resumption {
  readonly checkpoint: Checkpoint
  /** In place of what the configuration asked for. */
  readonly engine: EngineId
}

/** One restart with its arrays, engine units. */
export interface RestartOutcome {
  readonly summary: RestartSummary
  /** The first of the iterations at the end in which no centroid moved; null where the last one moved some. */
  readonly stillFrom: number | null
  readonly initialCentroids: Coordinates
  readonly labels: Int32Array
  readonly centroids: Coordinates
  readonly final: FinalPass
}

/** One clustering, whatever asks for it. */
export interface ClusteringJob {
  readonly points: PreparedPoints
  readonly features: readonly ColumnInfo[]
  readonly config: RunConfig
  /** Best first. More than one only where the choice was left to us: the next holds what the first cannot. */
  readonly candidates: readonly ResolvedRun[]
  readonly loadMs: number
  readonly kernel?: SeedingProvider
  /** Of the CPU engine, where others work beside it; absent: as many as there are. */
  readonly threads?: number
  /** That share the rows with this one; absent: it has them all. */
  readonly processes?: Pick<RunProcesses, 'group' | 'size'> & {
    /** How they read the file: a sentence. */
    readonly reading: string
  }
  /** Absent: every restart is seeded anew. */
  readonly seeds?: SeedCache | undefined
  /** (k, d) engine units, what the first restart begins from; absent or null: it is seeded. */
  readonly begin?: Coordinates | null
  /**
   * The engine's own inertia is taken (NaN where it tells none), and nothing is said of the single clusters: for timed runs, whose results
   * are verified at another time (the host's pass over all points could take longer than a device needs for the run).
   */
  readonly trustsEngine?: boolean
  /** Where another engine lost its device in the middle of the same run. */
  readonly from?: Checkpoint
  /** Looks at each restart before its arrays go; `milliseconds` are those of seeding, iterations and final assignment. */
  readonly restartDone?: (outcome: RestartOutcome, milliseconds: number) => Promise<void>
}

/** What the restarts of a job came to. */
export interface Clustering {
  readonly resolved: ResolvedRun
  /** What really ran; null where the engine does not report it. */
  readonly plan: SessionPlan | null
  readonly best: RestartOutcome
  readonly restarts: readonly RestartSummary[]
  readonly history: HistoryKeeper
  readonly timings: PhaseTimings
  /** Opening without the upload: device, compilation. Part of `timings.otherMs`. */
  readonly setUpMs: number
  /** See Stopwatch. */
  readonly iteratingMs: number
  readonly finalAssignMs: number
  readonly iterationTimes: readonly IterationTime[]
  readonly hostDeviceBytesPerIteration: number
  /** More than one where a run went on after a loss; empty where nobody followed it. */
  readonly engineSegments: readonly EngineSegment[]
  readonly warnings: readonly string[]
}

/** A finished clustering with its arrays: what exports and plots read. */
export interface RunResult {
  readonly record: RunRecord
  readonly dataset: Dataset
  readonly points: PreparedPoints
  /** (n) of the points, not of the rows; of points that several processes hold those of this one. */
  readonly labels: Int32Array
  /** (n) to the centroid of the label, engine units: where the points themselves are held by several processes. */
  readonly distances?: Float64Array
  /** (k, d) engine units. */
  readonly centroids: Coordinates
  /** (k, d) engine units: the seeding the best restart began from. */
  readonly initialCentroids: Coordinates
  /**
   * (k, d) engine units, `centroidHistory[i]` after the iteration of `record.history[i]`; empty unless asked
   * for. Shorter than the history when it would not fit in memory; a warning in the record says so.
   */
  readonly centroidHistory: readonly Coordinates[]
}

/** What earlier runs left that makes the next one quick; its result is the same without, unless it begins from clusters. */
export interface WarmStart {
  /** Of the same dataset and preparation; null where there are none. */
  readonly points: PreparedPoints | null
  readonly seeds: SeedCache
  /** A run of the same dataset whose clusters the first restart begins from; null where it is seeded. */
  readonly clusters?: RunResult | null
}

/** Entry point of the loop (run-kmeans.ts). Throws LabError; `cancelled` when the signal aborts. */
export type RunKmeans = (
  dataset: Dataset,
  config: RunConfig,
  observer: RunObserver,
  signal: AbortSignal,
  resumption?: Resumption,
  warm?: WarmStart,
) => Promise<RunResult>
