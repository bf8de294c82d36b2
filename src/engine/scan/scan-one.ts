import { calinskiHarabasz, daviesBouldin } from '@shared/metrics/dispersion'
import type { RunConfig } from '@shared/run-config'
import type { ScanConfig, ScanRestart, ScannedK } from '@shared/scan'
import type { MeanSilhouette } from '@shared/silhouettes'
import { resolveRun } from '../auto/resolve'
import { dispersionOf } from '../quality/dispersion'
import { hasSilhouette, silhouettesOf } from '../quality/silhouettes'
import { cluster } from '../run/clustering'
import type { RestartOutcome, RunObserver } from '../run/types'
import type { FinishedK, ScanPoints } from './scan'

const quiet: RunObserver = { phase: () => undefined, iterations: () => undefined }

/** One k of a scan. */
export interface ScanTask extends ScanPoints {
  /** Of this k. */
  readonly config: RunConfig
  readonly scan: ScanConfig
}

/**
 * Every restart of one k with its indices. @param told of each restart as it is finished
 * @throws LabError as `cluster`
 */
export async function scanOne(
  { points, features, config, scan }: ScanTask,
  told: (restart: ScanRestart) => void,
  signal: AbortSignal,
): Promise<FinishedK> {
  const { k } = config
  const restarts: ScanRestart[] = []
  const restartDone = async (outcome: RestartOutcome, milliseconds: number) => {
    const { run, seed, inertia, iterations, stopped } = outcome.summary
    const indices = await indicesOf({ points, labels: outcome.labels, k }, scan, signal)
    const seconds = milliseconds / 1000
    const row = { k, restart: run, seed, inertia, ...indices, iterations, stopped, seconds }
    restarts.push(row)
    told(row)
  }
  const candidates = await resolveRun(config, points, signal)
  const job = { points, features, config, candidates, loadMs: 0, restartDone }
  const clustering = await cluster(job, quiet, signal)
  const { best } = clustering
  const labelled = { points, labels: best.labels, k }
  const row: ScannedK = {
    k,
    restarts,
    best: best.summary.run,
    silhouette: await silhouetteOf(labelled, scan, signal),
    gap: null,
    sizes: [...best.final.sizes],
  }
  return { row, clustering: { ...clustering, best: { ...best, labels: new Int32Array() } } }
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

/** Null where it is not asked for or there is nothing to compare. */
async function silhouetteOf(
  labelled: Labelled,
  { indices, silhouette, run }: ScanConfig,
  signal: AbortSignal,
): Promise<MeanSilhouette | null> {
  if (!indices.includes('silhouette')) return null
  if (!hasSilhouette(labelled)) return null
  const found = await silhouettesOf(labelled, { extent: silhouette, seed: run.seed, signal })
  return { mean: found.mean, standardError: found.standardError, points: found.points }
}
