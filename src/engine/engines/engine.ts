import type { DeviceFacts, PlanHints } from '@shared/plan'
import type { EmptyPolicy, StopRule, TimingLevel } from '@shared/run-config'
import type { Device, EngineId, EngineReport, RunShape, VariantId, VariantOnEngine } from '@shared/variant'
import type { SeedingProvider } from '../init/kernel'
import type { RunProcesses } from '../processes/run-processes'

/** Coordinates of points and centroids: float32, or float64 where a run asks for it (shared/precision.ts). */
export type Coordinates = Float32Array | Float64Array

/**
 * The points an engine works on.
 *
 * `x` (n, d), row-major: features chosen, missing values resolved, centred, scaled as asked, then
 * multiplied by 2^-exponent so that the largest magnitude lies in [0.5, 1) (or all are 0). The power of two
 * is exact, so labels are those of the scaled data, nothing overflows and fixed-point sums have a known range.
 */
export interface Points<X extends Coordinates = Float32Array> {
  readonly x: X
  readonly n: number
  readonly d: number
  /** Largest magnitude of each feature, in engine units: the range for fixed-point sums. */
  readonly maxAbs: Float32Array
  /** Where several processes hold the n points: the rows that `x` has, (count, d). `maxAbs` is of all. */
  readonly part?: HeldPart
}

/** Rows of one process, from a multiple of 2^14 on. */
export interface RowPart {
  readonly first: number
  readonly count: number
}

/** Rows that this process holds, and those that hold the others with it. */
export interface HeldPart extends RowPart {
  readonly processes: RunProcesses
}

/** In the precision of a run. */
export type AnyPoints = Points<Coordinates>

declare const processGroup: unique symbol

/** Other processes, as one addon hands them to another (kernels/common/parts/process_group.hpp). */
export interface ProcessGroupHandle {
  readonly [processGroup]: true
}

/** What an engine must know about a run. All quantities in engine units (see Points). */
export interface SessionConfig {
  readonly variant: VariantId
  /** As the plan says; absent: the engine asks the variant's table itself. */
  readonly regime?: string
  /** The regime to build where the plan's probe finds nothing. */
  readonly otherwise?: string | null
  /** Of the CPU engine, for sessions beside each other; absent: as many as there are. */
  readonly threads?: number
  /** Of the CPU engine: the processes that share the rows with this one; absent: none. */
  readonly processGroup?: ProcessGroupHandle
  /** Of `partial-sums`; absent or null: the study's number. */
  readonly workers?: number | null
  readonly k: number
  readonly stop: StopRule
  /**
   * The stop rule's bound, made comparable by the loop:
   * relative-shift: stops when shiftSquared <= threshold; coordinate-shift: when the largest |coordinate
   * change| <= threshold; inertia: when J(i-1) - J(i) < threshold, from iteration 2; labels: when
   * changed <= threshold * n; none: ignored.
   */
  readonly threshold: number
  readonly empty: EmptyPolicy
  readonly timing: TimingLevel
  /** Iterations of all runs of the session together, at most; absent: nobody knows. */
  readonly iterations?: number
  /** Count changed labels although the rule does not need it. */
  readonly trackChanged: boolean
  /** Report J(i) although the rule does not need it. */
  readonly trackInertia: boolean
  /** Return a copy of the centroids after each iteration. */
  readonly trackCentroids: boolean
}

/** One iteration, in engine units. */
export interface IterationStats {
  /** 1-based since `start`. */
  readonly iteration: number
  /** J(i), null when neither the rule nor trackInertia asked for it. */
  readonly inertia: number | null
  readonly shiftSquared: number
  /** Largest Euclidean norm of a centroid's shift. */
  readonly maxShift: number
  /** Largest absolute change of a coordinate. */
  readonly maxCoordinateShift: number
  /** In the first iteration n; null when not counted. */
  readonly changed: number | null
  readonly emptyClusters: number
  readonly assignMs: number | null
  readonly updateMs: number | null
  readonly convergeMs: number | null
  readonly iterateMs: number | null
  readonly totalMs: number | null
  /** The rule was met in this iteration, or no centroid moved at all (not under `none`). */
  readonly stop: boolean
  /** (k, d) after this iteration's update, when trackCentroids. A dropped cluster's row is NaN. */
  readonly centroids: Coordinates | null
}

export interface ReadResult {
  /** (n) label of each point against `centroids`, computed by a final assignment. */
  readonly labels: Int32Array
  /** (k, d) engine units, in the precision of the points. A dropped cluster's row is NaN: it owns no point. */
  readonly centroids: Coordinates
  /** Float64-grade sum of squared distances of `labels` against `centroids`, engine units; null where the host adds it up. */
  readonly inertia: number | null
  /** Of the transfer to the host alone; 0 where the labels are made on the host. The rest of `read` is the final assignment. */
  readonly downloadMs: number
}

/** What a session was built as, probes of the data included. */
export interface SessionPlan {
  readonly regime: string
  /** One sentence. */
  readonly reason: string
  /** Of several devices that share the rows: how many, and who adds up their sums; empty: the host. */
  readonly sharing?: { readonly devices: number; readonly exchange: string }
}

/**
 * One clustering on one device. `start` may be called again (restarts) without a new upload.
 * Not re-contender: one call at a time. After an error only `close` may be called.
 */
export interface Session {
  readonly uploadMs: number
  /** Bytes that cross between host and device in one iteration (spec: timings.csv). */
  readonly hostDeviceBytesPerIteration: number
  /** What is unusual about this session, a sentence each. */
  readonly warnings?: readonly string[]
  /** Reported after opening; absent where the engine does not report it. */
  readonly plan?: SessionPlan | undefined
  /** Begin from these centroids, (k, d) engine units, in the precision of the points. */
  start(centroids: Coordinates): Promise<void>
  /**
   * Carry out iterations until the budget is spent, the rule is met or the signal aborts; at least one
   * unless aborted. Answers the iterations carried out, in order; the last has `stop` when the rule is met.
   * Results never depend on how the work is cut into budgets. An aborted call answers what was finished.
   */
  advance(
    budget: { readonly iterations: number; readonly milliseconds: number },
    signal: AbortSignal,
  ): Promise<readonly IterationStats[]>
  /**
   * (k, d) after the last iteration, a copy; a dropped cluster's row is NaN. They are on the host already, so
   * that asking costs next to nothing. Absent where the engine cannot tell; null where its addon cannot.
   */
  centroids?(): Coordinates | null
  /** Final assignment against the current centroids. Also right after `start`: labels of the initial ones. */
  read(): Promise<ReadResult>
  close(): Promise<void>
}

/** Points that lie on a device for all who work on them there. */
export interface HeldPoints {
  readonly uploadMs: number
  /** No session takes them from here any more; what is open keeps them until it is closed. */
  close(): Promise<void>
}

/** Silhouettes over every pair on one device. One call at a time; `cancel` and `share` at any moment. */
export interface SilhouetteProvider {
  /** Pairs times features of a trial from which the time of more can be told. */
  readonly trialWork: number
  /**
   * Fills `values` (n); no array may change until the answer is there, which is null when cancelled.
   * @param x (n, d) @param labels (n) 0..k-1, at least two different ones
   */
  compute(
    x: Float32Array,
    d: number,
    labels: Int32Array,
    k: number,
    values: Float64Array,
  ): Promise<true | null>
  /** Of the pairs that are done, 0 to 1. */
  share(): number
  cancel(): void
}

export type Availability =
  { readonly available: true } | { readonly available: false; readonly reason: string }

/** What a device can do at most, measured: what an iteration can never be faster than. */
export interface DeviceFloors {
  /** Float32 multiply-adds in a millisecond. */
  readonly productsPerMs: number
  /** Bytes read from the device's memory in a millisecond. */
  readonly bytesPerMs: number
  /** Multiply-adds of its matrix units on fp16; null where there are none. */
  readonly matrixProductsPerMs: number | null
  /** Points of fewer bytes stay in caches, so the bandwidth does not bind them; 0 where that is not known. */
  readonly cacheBytes: number
  /** Time of starting work that does nothing: no iteration is shorter. 0 on the processor. */
  readonly minMs: number
}

/** Where variants run. One object per engine, created once per process. */
export interface Engine {
  readonly id: EngineId
  /** Never throws: an engine that cannot work says why in one sentence. */
  availability(): Promise<Availability>
  devices(): Promise<readonly Device[]>
  /**
   * Several devices as one that shares the rows out among them, by words such as "cuda:0,cuda:1" or "all"; null where the
   * engine has no such. Absent: never.
   */
  group?(words: string): Promise<Device | null>
  /** As EngineReport has it; null where there is one device alone. Absent: never several. */
  sharing?(): EngineReport['sharing'] | null
  variants(): readonly ({ readonly id: VariantId } & VariantOnEngine)[]
  /** name -> version, for the machine's description (compiler, flags, instruction set, driver). */
  versions(): Promise<Readonly<Record<string, string>>>
  /**
   * The seedings' heavy primitives on a device of this engine; null where they do not fit or the processor is faster.
   * Absent: always the processor.
   */
  seeding?(points: AnyPoints, k: number, deviceId: string): SeedingProvider | null
  /** Silhouettes on a device of this engine; null where they do not fit or the processor is as fast. Absent: always the processor. */
  silhouettes?(points: AnyPoints, deviceId: string): SilhouetteProvider | null
  /**
   * What plans for a device depend on. Absent: the engine has no tables of regimes.
   * @throws LabError `engine-missing` for an unknown device.
   */
  facts?(deviceId: string): Promise<DeviceFacts>
  /** What plans depend on beyond shape, device and configuration: memory, above all. */
  hints?(shape: RunShape, deviceId: string): PlanHints
  /** Measured at the call, which takes about a second; null where it is not known. Absent: never known. */
  floors?(deviceId: string): Promise<DeviceFloors | null>
  /**
   * Puts points on a device for many sessions: until `close`, what is opened on the same `x` there (`open`, `seeding`) takes them
   * from there, with the same results. Null where they do not fit beside a session, and where the device cannot share them.
   * Absent: the engine's points are in host memory.
   */
  hold?(points: AnyPoints, deviceId: string): Promise<HeldPoints | null>
  /**
   * Upload the points and compile what is needed, so that no compilation falls into a timed iteration.
   * @param deviceId one of `devices()`; null takes the engine's best.
   * @throws LabError `engine-missing` for an unknown device, `input` for a size the device cannot hold.
   */
  open(points: AnyPoints, config: SessionConfig, deviceId: string | null): Promise<Session>
}
