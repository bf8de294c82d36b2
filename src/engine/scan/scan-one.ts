import { LabError } from '@shared/errors'
import { calinskiHarabasz, daviesBouldin } from '@shared/metrics/dispersion'
import type { RunConfig } from '@shared/run-config'
import type { ScanConfig, ScanRestart, ScannedK } from '@shared/scan'
import type { MeanSilhouette } from '@shared/silhouettes'
import { resolveRun } from '../auto/resolve'
import { dispersionOf } from '../quality/dispersion'
import { hasSilhouette, silhouettesOf } from '../quality/silhouettes'
import type { ComputedOn } from '../quality/silhouette-values'
import type { SeedCache } from '../init/seed-cache'
import { readAgain } from '../run/clustering'
import type { Clustering, ResolvedRun, RestartOutcome } from '../run/types'
import type { GapReferences } from './gap-references'
import type { KeptRestarts } from './kept-restarts'
import { runAllRestarts } from './restarts'
import type { FinishedK, ScanPoints } from './scan'
import type { ScanUpload } from './scan-upload'

/** One k of a scan. */
export interface ScanTask extends ScanPoints {
  /** Of this k. */
  readonly config: RunConfig
  readonly scan: ScanConfig
  /** Where the gap statistic is asked for. */
  readonly references: GapReferences | null
  /** What is finished of this k; what is finished now is added. */
  readonly kept: KeptRestarts
  /** Of the whole scan. */
  readonly seeds: SeedCache
  readonly upload: ScanUpload
}

/** Who is told what is finished. */
export interface ScanWatch {
  restart(restart: ScanRestart): void
  /** So many references of the gap statistic. */
  reference(done: number): void
}

/**
 * Every restart of one k with its indices.
 * @throws LabError as `cluster`
 */
export async function scanOne(task: ScanTask, watch: ScanWatch, signal: AbortSignal): Promise<FinishedK> {
  const { points, features, config, scan, references, kept, seeds, upload } = task
  const { k } = config
  const candidates = await resolveRun(config, points, signal)
  await upload.to(candidates[0], points, signal)
  const job = { features, config, candidates, loadMs: 0 }
  const restartDone = followed(task, watch, signal)
  const clustering = await timed(kept, () =>
    runAllRestarts({ ...job, points, restartDone, seeds }, signal, kept),
  )
  const { best } = clustering
  const labels = await labelsOf(clustering, task, signal)
  const labelled = { points, labels, k }
  const silhouette = await silhouetteOf(labelled, task, onDevice(clustering.resolved), signal)
  const asked = { job, inertia: best.summary.inertia, known: kept.references }
  const row: ScannedK = {
    k,
    restarts: kept.rows.toSorted((a, b) => a.restart - b.restart),
    best: best.summary.run,
    silhouette,
    gap: (await references?.gap(asked, (done) => watch.reference(done), signal)) ?? null,
    sizes: [...best.final.sizes],
  }
  const isMissing = scan.indices.includes('silhouette') && silhouette === null && hasSilhouette(labelled)
  const empty = row.sizes.filter((size) => size === 0).length
  const warnings = [
    ...clustering.warnings,
    ...(isMissing ? [oneSampled(k)] : []),
    ...(empty > 0 ? [`${empty} of the ${k} clusters of k = ${k} own no point.`] : []),
  ]
  return { row, clustering: { ...clustering, best: { ...best, labels: new Int32Array() }, warnings } }
}

/** Each restart is kept as soon as its indices are there. */
function followed({ points, config: { k }, scan, kept }: ScanTask, watch: ScanWatch, signal: AbortSignal) {
  return async (outcome: RestartOutcome, milliseconds: number) => {
    const { run, seed, inertia, iterations, stopped } = outcome.summary
    if (kept.has(run)) return
    const indices = await indicesOf({ points, labels: outcome.labels, k }, scan, signal)
    const seconds = milliseconds / 1000
    const row = { k, restart: run, seed, inertia, ...indices, iterations, stopped, seconds }
    kept.add(row, outcome)
    watch.restart(row)
  }
}

async function timed(kept: KeptRestarts, work: () => Promise<Clustering>): Promise<Clustering> {
  const began = performance.now()
  try {
    return await work()
  } finally {
    kept.spentMs += performance.now() - began
  }
}

/** A best restart that was stored has none: its centroids give them again. */
async function labelsOf(
  { best, resolved }: Clustering,
  { points, config }: ScanTask,
  signal: AbortSignal,
): Promise<Int32Array> {
  if (best.labels.length > 0) return best.labels
  return readAgain({ points, config, resolved }, best.centroids, signal)
}

function oneSampled(k: number): string {
  return `The clusters of k = ${k} are so uneven that the sample for the silhouette lies in one of them: ask for the exact silhouette (--silhouette exact).`
}

function onDevice({ engine, device }: ResolvedRun): ComputedOn {
  return { engine, deviceId: device.id }
}

type Labelled = Parameters<typeof dispersionOf>[0]

async function indicesOf(labelled: Labelled, { indices }: ScanConfig, signal: AbortSignal) {
  const wanted = { ch: indices.includes('calinski-harabasz'), db: indices.includes('davies-bouldin') }
  if (!wanted.ch && !wanted.db) return { calinskiHarabasz: null, daviesBouldin: null }
  const dispersion = await dispersionOf(labelled, signal)
  return {
    calinskiHarabasz: wanted.ch ? calinskiHarabasz(dispersion) : null,
    daviesBouldin: wanted.db ? daviesBouldin(dispersion) : null,
  }
}

/** Null where it is not asked for, there is nothing to compare, or a sample has one cluster only. */
async function silhouetteOf(
  labelled: Labelled,
  { scan: { indices, silhouette, run }, sampling }: Pick<ScanTask, 'scan' | 'sampling'>,
  on: ComputedOn,
  signal: AbortSignal,
): Promise<MeanSilhouette | null> {
  if (!indices.includes('silhouette') || !hasSilhouette(labelled)) return null
  try {
    const found = await silhouettesOf(labelled, { extent: silhouette, seed: run.seed, signal, on, sampling })
    return { mean: found.mean, standardError: found.standardError, points: found.points }
  } catch (thrown) {
    if (thrown instanceof LabError && thrown.code === 'silhouette.sample') return null
    throw thrown
  }
}
