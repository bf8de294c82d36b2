import type { Grade } from './approximate'
import type { ColumnInfo, FileFacts, ImportReceipt } from './dataset'
import type { DateUnit } from './dates'
import type { Precision } from './precision'
import type { RunConfig, StopRule } from './run-config'
import type { VerificationMark } from './verification'
import type { EngineId, VariantId } from './variant'

/**
 * One iteration as it is shown and exported; inertia and shift in units of the scaled data. Times are null
 * where the granularity did not ask for them or a fused kernel cannot part them.
 */
export interface IterationRow {
  /** 0-based restart. */
  readonly run: number
  /** 1-based. */
  readonly iteration: number
  /** J(i): inertia of the assignment of this iteration, against the centroids it was made with. */
  readonly inertia: number | null
  /** Largest Euclidean norm of a centroid's shift. */
  readonly maxShift: number
  /** Squared Frobenius norm of the shift of all centroids. */
  readonly shiftSquared: number
  /** Points that changed label; null when it was not counted. */
  readonly changed: number | null
  readonly emptyClusters: number
  readonly assignMs: number | null
  readonly updateMs: number | null
  readonly convergeMs: number | null
  /** Assignment and update in one kernel. */
  readonly iterateMs: number | null
  readonly totalMs: number | null
}

export interface PhaseTimings {
  readonly loadMs: number
  readonly uploadMs: number
  readonly initMs: number
  readonly assignMs: number | null
  readonly updateMs: number | null
  readonly convergeMs: number | null
  readonly iterateMs: number | null
  readonly downloadMs: number
  /** What no phase covers: total minus the phases. */
  readonly otherMs: number
  /** Wall time with transfers, without load. */
  readonly totalMs: number
}

export interface ClusterRow {
  readonly cluster: number
  readonly size: number
  /** Inertia of the cluster, units of the scaled data. */
  readonly inertia: number
  /** In units of the file, one number per feature; null for a dropped cluster. */
  readonly centroid: readonly number[] | null
}

/** The engine that carried out some iterations of a run whose device was lost; both ends are of them. */
export interface EngineSegment {
  readonly engine: EngineId
  readonly device: string
  readonly deviceName: string
  readonly variant: VariantId
  /** As of the record; absent in what an earlier version kept. */
  readonly regime?: string | null
  /** `run` 0-based, `iteration` 1-based, as in the history. */
  readonly from: { readonly run: number; readonly iteration: number }
  readonly to: { readonly run: number; readonly iteration: number }
}

/** What one restart came to. */
export interface RestartSummary {
  readonly run: number
  readonly seed: number
  readonly iterations: number
  readonly stopped: StopRule | 'max-iterations'
  readonly inertia: number
}

export interface MachineFacts {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly os: string
  readonly devices: readonly string[]
  /** name -> version: app, node, addon, dawn, compiler and flags, instruction set used. */
  readonly versions: Readonly<Record<string, string>>
}

/** A feature of a run: a column of numbers, or where a column has a certain text (1, else 0). */
export interface RecordedFeature extends Pick<ColumnInfo, 'index' | 'name'> {
  /** That text; absent for a column of numbers. */
  readonly category?: string
  /** Of dates: since 1970-01-01 UTC; absent for other numbers. */
  readonly dateUnit?: DateUnit
}

/** Prepared points, the rows that k-means++ chose for them, or clusters that the first restart began from in place of a seeding. */
export const reusedParts = ['points', 'seeding', 'clusters'] as const
export type ReusedPart = (typeof reusedParts)[number]

/** A finished clustering: everything but the bulk arrays. run.json is this, written out. */
export interface RunRecord {
  readonly id: string
  readonly startedAt: string
  readonly file: FileFacts
  readonly receipt: ImportReceipt
  /** As asked. */
  readonly config: RunConfig
  /** As carried out: never a silent fallback. */
  readonly engine: EngineId
  readonly device: string
  readonly deviceName: string
  readonly variant: VariantId
  /** How the variant was carried out, and one sentence why so; null where the engine does not report it. */
  readonly regime: string | null
  readonly reason: string | null
  readonly deterministic: boolean
  /** Absent in what an earlier version kept, in which nothing was approximate. */
  readonly grade?: Grade
  /** Of points, distances and centroids as they ran; absent (float32) in what an earlier version kept. */
  readonly precision?: Precision
  /** Where a device was lost and another went on: which iterations ran where; `engine` is that of the last. */
  readonly engineSegments?: readonly EngineSegment[]
  readonly features: readonly RecordedFeature[]
  readonly tolerance: number
  readonly n: number
  readonly d: number
  readonly k: number
  /** Rows of the dataset left out by the missing policy. */
  readonly droppedRows: number
  /** Rows of the dataset left out by the filter; absent in what an earlier version kept. */
  readonly filteredRows?: number
  readonly filledCells: number
  /** Seed of the best restart. */
  readonly seed: number
  readonly restarts: readonly RestartSummary[]
  readonly bestRun: number
  readonly iterations: number
  readonly stopped: StopRule | 'max-iterations'
  readonly converged: boolean
  /** Of the final labels against the final centroids. */
  readonly inertia: number
  /** Of labels, centroids and inertia (spec section 3), hexadecimal; absent in what an earlier version kept. */
  readonly resultSha256?: string
  readonly clusters: readonly ClusterRow[]
  /** Of every restart, in order; empty when no history was asked for. */
  readonly history: readonly IterationRow[]
  readonly timings: PhaseTimings
  /** What a live run took over from runs before it, so that its times leave it out; absent where all was made anew. */
  readonly reused?: readonly ReusedPart[]
  /** Bytes that cross between host and device in an iteration; 0 where the loop stays on one of them. */
  readonly hostDeviceBytesPerIteration: number
  readonly machine: MachineFacts
  readonly warnings: readonly string[]
  /** What making it again came to, the last time; absent where nobody did. */
  readonly verified?: VerificationMark
}

/** Is a feature a column of numbers, rather than a text of one? */
export function isNumeric({ category }: RecordedFeature): boolean {
  return category === undefined
}
