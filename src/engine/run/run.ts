import type { Dataset } from '@engine/dataset/dataset'
import type { PreparedPoints } from '@engine/dataset/prepared'
import type { Engine } from '@engine/engines/engine'
import type { RunPhase } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import type { IterationRow, RunRecord } from '@shared/run-record'
import type { Device, EngineId, VariantId } from '@shared/variant'
import type { Checkpoint } from './checkpoint'

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

/** A run that goes on where another engine lost its device. */
export interface Resumption {
  readonly checkpoint: Checkpoint
  /** In place of what the configuration asked for. */
  readonly engine: EngineId
}

/** A finished clustering with its arrays: what exports and plots read. */
export interface RunResult {
  readonly record: RunRecord
  readonly dataset: Dataset
  readonly points: PreparedPoints
  /** (n) of the points, not of the rows. */
  readonly labels: Int32Array
  /** (k, d) engine units. */
  readonly centroids: Float32Array
  /** (k, d) engine units: the seeding the best restart began from. */
  readonly initialCentroids: Float32Array
  /**
   * (k, d) engine units, `centroidHistory[i]` after the iteration of `record.history[i]`; empty unless asked
   * for. Shorter than the history when it would not fit in memory; a warning in the record says so.
   */
  readonly centroidHistory: readonly Float32Array[]
}

/** Entry point of the loop (run-kmeans.ts). Throws LabError; `cancelled` when the signal aborts. */
export type RunKmeans = (
  dataset: Dataset,
  config: RunConfig,
  observer: RunObserver,
  signal: AbortSignal,
  resumption?: Resumption,
) => Promise<RunResult>
