import { randomUUID } from 'node:crypto'
import { gradeOf } from '@shared/approximate'
import { toleranceOf, type RunConfig } from '@shared/run-config'
import type { ClusterRow, MachineFacts, ReusedPart, RunRecord } from '@shared/run-record'
import { hashed, type Dataset } from '../dataset/dataset'
import { precisionOfArray } from '../dataset/coordinates'
import { recordedFeature, type RunFeature } from '../dataset/one-hot'
import type { PreparedPoints } from '../dataset/prepared'
import type { Clustering, RestartOutcome } from './types'
import { dataWarnings } from './left-out'
import { segmentsWarning } from './engine-segments'
import { resultHash, resultHashOfAll } from './result-hash'
import { toScaledSquare } from './units'

export interface RecordParts {
  readonly dataset: Dataset
  readonly config: RunConfig
  readonly features: readonly RunFeature[]
  readonly points: PreparedPoints
  readonly clustering: Clustering
  readonly machine: MachineFacts
  readonly startedAt: string
  /** See RunRecord. */
  readonly reused?: readonly ReusedPart[]
  readonly warnings: readonly string[]
}

/** Puts the record of a finished clustering together, once its file is hashed. @throws LabError `cancelled`, `csv.changed` */
export async function assembleRecord(parts: RecordParts, signal: AbortSignal): Promise<RunRecord> {
  const { dataset, config, features, points, clustering, machine, startedAt } = parts
  const { resolved, best } = clustering
  const { engine, device, variant } = resolved
  const { stopped, iterations, inertia, seed, run } = best.summary
  const resultSha256 = await hashOf(points, best, signal)
  const clusters = await clusterRows(points, best, config.k, signal)
  const engineSegments = clustering.engineSegments.length > 1 ? clustering.engineSegments : null
  return {
    id: randomUUID(),
    startedAt,
    file: (await hashed(dataset)).file,
    receipt: dataset.receipt,
    config,
    engine: engine.id,
    device: device.id,
    deviceName: device.name,
    variant,
    regime: clustering.plan?.regime ?? null,
    reason: clustering.plan?.reason ?? null,
    // Where a device fails is no part of a configuration.
    deterministic:
      !engineSegments && (engine.variants().find(({ id }) => id === variant)?.deterministic ?? false),
    grade: gradeOf(variant, engine.id),
    precision: precisionOfArray(points.x),
    ...(engineSegments && { engineSegments }),
    features: features.map(recordedFeature),
    tolerance: toleranceOf(config),
    n: points.n,
    d: points.d,
    k: config.k,
    droppedRows: points.droppedRows,
    filteredRows: points.filteredRows.length,
    filledCells: points.filledCells,
    seed,
    restarts: clustering.restarts,
    bestRun: run,
    iterations,
    stopped,
    converged: stopped !== 'max-iterations',
    inertia,
    resultSha256,
    clusters,
    history: clustering.history.rows,
    timings: clustering.timings,
    ...(parts.reused && parts.reused.length > 0 && { reused: parts.reused }),
    hostDeviceBytesPerIteration: clustering.hostDeviceBytesPerIteration,
    machine,
    warnings: [
      ...segmentsWarning(engineSegments, config.nInit),
      ...dataWarnings(dataset, features, points),
      ...parts.warnings,
      ...clustering.warnings,
      ...emptyWarning(clusters),
    ],
  }
}

/** In engine units, as the engine gave it. */
function hashOf({ n, d, part }: PreparedPoints, best: RestartOutcome, signal: AbortSignal): Promise<string> {
  const { labels, centroids, summary, final } = best
  const { iterations } = summary
  const result = { n, d, iterations, labels, centroids, inertia: final.inertia }
  return part === undefined ? resultHash(result, signal) : resultHashOfAll(result, part.processes, signal)
}

/**
 * Sizes, inertias and centroids in units of the file. A cluster has no centroid when it was dropped, or when it
 * is empty under a scaling that cannot be undone (there a centroid is the mean of the members' rows).
 */
async function clusterRows(
  points: PreparedPoints,
  best: RestartOutcome,
  k: number,
  signal: AbortSignal,
): Promise<ClusterRow[]> {
  const { d, exponent } = points
  const inFile = points.toFile(best.centroids, k) ?? (await points.memberMeans(best.labels, k, signal))
  return Array.from({ length: k }, (_, cluster) => {
    const centroid = [...inFile.subarray(cluster * d, (cluster + 1) * d)]
    return {
      cluster,
      size: best.final.sizes[cluster],
      inertia: toScaledSquare(best.final.inertias[cluster], exponent),
      centroid: centroid.every(Number.isFinite) ? centroid : null,
    }
  })
}

function emptyWarning(clusters: readonly ClusterRow[]): string[] {
  const empty = clusters.filter(({ size }) => size === 0).length
  if (empty === 0) return []
  const subject = empty === 1 ? '1 cluster owns' : `${empty} clusters own`
  return [`${subject} no point: choose a smaller k or another policy for empty clusters.`]
}
