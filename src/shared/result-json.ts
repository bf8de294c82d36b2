import { gradeBefore, type Grade } from './approximate'
import { precisionOf, type Precision } from './precision'
import type { EngineSegment, PhaseTimings, ReusedPart, RunRecord } from './run-record'
import { workersThatRan } from './workers'

/** Times in milliseconds; null where a fused kernel cannot part the phases. */
export interface TimingsJson {
  readonly load_ms: number
  readonly upload_ms: number
  readonly init_ms: number
  readonly assign_ms: number | null
  readonly update_ms: number | null
  readonly converge_ms: number | null
  /** Assignment and update carried out by one kernel. */
  readonly iterate_ms: number | null
  readonly download_ms: number
  /** What no phase covers. */
  readonly other_ms: number
  /** Wall time with transfers, without load. */
  readonly total_ms: number
}

type SegmentJson = Omit<EngineSegment, 'deviceName'> & { readonly device_name: string }

/** A finished clustering as `cluster --json` prints it and run.json stores it (spec section 7). */
export interface ResultJson {
  readonly n: number
  readonly d: number
  readonly k: number
  /** Rows of the file that the filter left out; only where there is one. */
  readonly filtered_rows?: number
  readonly engine: string
  readonly device: string
  readonly device_name: string
  readonly variant: string
  /** How the variant was carried out, and one sentence why so; null where the engine does not report it. */
  readonly regime: string | null
  readonly reason: string | null
  /** How many workers summed; only of `partial-sums`. */
  readonly workers?: number
  readonly deterministic: boolean
  readonly grade: Grade
  /** Of points, distances and centroids: float32 or float64. */
  readonly precision: Precision
  /** Only where a device was lost in the middle: which iterations ran where, runs counted from 0, both ends included. */
  readonly engine_segments?: readonly SegmentJson[]
  /** Of the best restart. */
  readonly seed: number
  readonly iterations: number
  /** The stop rule's name or `max-iterations`. */
  readonly stopped: string
  readonly converged: boolean
  /** Of the result, in engine units; null in what an earlier version kept. */
  readonly result_sha256: string | null
  /** In units of the scaled data. */
  readonly inertia: number
  readonly sizes: readonly number[]
  /** Rows in units of the file; null for a dropped cluster. */
  readonly centroids: readonly (readonly number[] | null)[]
  /** What a live run took over from runs before it; its times leave that out. */
  readonly reused?: readonly ReusedPart[]
  readonly timings: TimingsJson
  readonly warnings: readonly string[]
}

export function resultJson(record: RunRecord): ResultJson {
  const { n, d, k, engine, device, variant, deterministic, seed, iterations, stopped, converged } = record
  const { regime, reason } = record
  const workers = workersThatRan(record.config, variant, n)
  return {
    ...{ n, d, k },
    ...(record.config.filter && { filtered_rows: record.filteredRows ?? 0 }),
    ...{ engine, device, device_name: record.deviceName, variant, regime, reason },
    ...(workers !== null && { workers }),
    ...{ deterministic, grade: record.grade ?? gradeBefore(variant) },
    ...{ precision: precisionOf(record), seed, iterations },
    ...(record.engineSegments && { engine_segments: record.engineSegments.map(segmentJson) }),
    ...(record.reused && { reused: record.reused }),
    ...{ stopped, converged, result_sha256: record.resultSha256 ?? null, inertia: record.inertia },
    sizes: record.clusters.map((cluster) => cluster.size),
    centroids: record.clusters.map((cluster) => cluster.centroid),
    timings: timingsJson(record.timings),
    warnings: record.warnings,
  }
}

function segmentJson({ deviceName, ...segment }: EngineSegment): SegmentJson {
  return { ...segment, device_name: deviceName }
}

function timingsJson(timings: PhaseTimings): TimingsJson {
  return {
    load_ms: timings.loadMs,
    upload_ms: timings.uploadMs,
    init_ms: timings.initMs,
    assign_ms: timings.assignMs,
    update_ms: timings.updateMs,
    converge_ms: timings.convergeMs,
    iterate_ms: timings.iterateMs,
    download_ms: timings.downloadMs,
    other_ms: timings.otherMs,
    total_ms: timings.totalMs,
  }
}
