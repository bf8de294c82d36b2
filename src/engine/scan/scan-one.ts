import { LabError } from '@shared/errors'
import { calinskiHarabasz, daviesBouldin } from '@shared/metrics/dispersion'
import type { RunConfig } from '@shared/run-config'
import type { ScanConfig, ScanRestart, ScannedK } from '@shared/scan'
import type { MeanSilhouette } from '@shared/silhouettes'
import { resolveRun } from '../auto/resolve'
import { dispersionOf } from '../quality/dispersion'
import { hasSilhouette, silhouettesOf } from '../quality/silhouettes'
import type { ComputedOn } from '../quality/silhouette-values'
import type { ResolvedRun, RestartOutcome } from '../run/types'
import type { GapReferences } from './gap-references'
import { runAllRestarts } from './restarts'
import type { FinishedK, ScanPoints } from './scan'

/** One k of a scan. */
export interface ScanTask extends ScanPoints {
  /** Of this k. */
  readonly config: RunConfig
  readonly scan: ScanConfig
  /** Where the gap statistic is asked for. */
  readonly references: GapReferences | null
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
export async function scanOne(
  { points, features, config, scan, references }: ScanTask,
  watch: ScanWatch,
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
    watch.restart(row)
  }
  const candidates = await resolveRun(config, points, signal)
  const job = { features, config, candidates, loadMs: 0 }
  const clustering = await runAllRestarts({ ...job, points, restartDone }, signal)
  const { best } = clustering
  const labelled = { points, labels: best.labels, k }
  const silhouette = await silhouetteOf(labelled, scan, onDevice(clustering.resolved), signal)
  const row: ScannedK = {
    k,
    restarts: restarts.sort((a, b) => a.restart - b.restart),
    best: best.summary.run,
    silhouette,
    gap: (await references?.gap(job, best.summary.inertia, (done) => watch.reference(done), signal)) ?? null,
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
  { indices, silhouette, run }: ScanConfig,
  on: ComputedOn,
  signal: AbortSignal,
): Promise<MeanSilhouette | null> {
  if (!indices.includes('silhouette') || !hasSilhouette(labelled)) return null
  try {
    const found = await silhouettesOf(labelled, { extent: silhouette, seed: run.seed, signal, on })
    return { mean: found.mean, standardError: found.standardError, points: found.points }
  } catch (thrown) {
    if (thrown instanceof LabError && thrown.code === 'silhouette.sample') return null
    throw thrown
  }
}
