import { startsAlike, type RunConfig } from '@shared/run-config'
import type { ReusedPart } from '@shared/run-record'
import type { EngineId } from '@shared/variant'
import type { Dataset } from '../dataset/dataset'
import { preparationOf } from '../dataset/preparation'
import { prepare } from '../dataset/prepare'
import type { PreparedPoints } from '../dataset/prepared'
import { resolveRun } from '../auto/resolve'
import { engines } from '../engines'
import { machineFacts } from '../machine'
import { lendToEngine } from '../scratch/scratch-file'
import { throwIfAborted } from '../slices'
import { cluster } from './clustering'
import { clustersBefore } from './clusters-before'
import { countDistinct, countDistinctOfAll } from './distinct'
import { mergedValueWarnings } from './merged-values'
import { assembleRecord } from './record'
import type { ResolvedRun, Resumption, RunKmeans, WarmStart } from './types'
import { validateConfig, validatePoints } from './validate'

/**
 * The one loop of the product: from a dataset and a configuration to a record and its arrays. Engines supply
 * the steps (engine.ts), this decides what is run, when it ends and what is kept. See run.ts for the contract.
 */
export const runKmeans: RunKmeans = async (dataset, config, observer, signal, resumption, warm) => {
  const startedAt = new Date().toISOString()
  validateConfig(config)
  throwIfAborted(signal)
  observer.phase('preparing', 0)
  const began = performance.now()
  const { features, preparation } = preparationOf(dataset, config)
  const points = warm?.points ?? (await prepare(dataset, preparation, signal))
  const { k } = config
  validatePoints(points, k, dataset.file.name)
  lendToEngine(points.location.in === 'scratch')
  const warnings = [
    ...locationWarning(points),
    ...(await duplicateWarning(points, k, signal)),
    ...repeatWarning(config),
  ]
  const loadMs = dataset.receipt.loadMs + performance.now() - began
  const choice = choiceOf(config, resumption)
  const candidates = await resolveRun(choice, points, signal)
  const from = resumption && { from: resumption.checkpoint }
  const asked = { ...config, regime: choice.regime }
  const { part } = points
  const begin = warm?.clusters ? clustersBefore(warm.clusters, points, features) : null
  const job = {
    begin,
    ...{ points, features, config: asked, candidates, loadMs, seeds: warm?.seeds },
    ...from,
    ...(part && { processes: { ...part.processes, reading: readingOf(dataset) } }),
  }
  const hits = warm?.seeds.hits ?? 0
  const clustering = await cluster(job, observer, signal)
  const reused = reusedOf(warm, hits, begin !== null)
  const { inertia } = clustering.best.final
  warnings.push(...(await mergedValueWarnings(dataset, features, points, inertia, signal)))
  const machine = await machineFacts(onlyEngine(candidates) ?? config.engine)
  throwIfAborted(signal)
  const record = await assembleRecord(
    {
      dataset,
      config,
      features,
      points,
      clustering,
      machine,
      startedAt,
      reused,
      warnings,
    },
    signal,
  )
  const { labels, centroids, initialCentroids } = clustering.best
  const centroidHistory = clustering.history.centroids
  return { record, dataset, points, labels, centroids, initialCentroids, centroidHistory }
}

/** How processes that share the rows read the file. */
function readingOf({ whole }: Dataset): string {
  return whole === undefined
    ? 'Each read its part of the file.'
    : `Each read the whole file and kept its rows. ${whole.because}`
}

/** What goes on elsewhere keeps its variant where that is offered there; a regime that was named is one of its engine. */
function choiceOf(config: RunConfig, resumption: Resumption | undefined): RunConfig {
  if (resumption === undefined) return config
  const { engine, checkpoint } = resumption
  const regime = checkpoint.engineSegments.at(-1)?.engine === engine ? config.regime : null
  const isOffered = engines[engine].variants().some(({ id }) => id === config.variant)
  return { ...config, engine, device: null, variant: isOffered ? config.variant : 'auto', regime }
}

/** @param hits of the seeds before the run */
function reusedOf(warm: WarmStart | undefined, hits: number, fromClusters: boolean): readonly ReusedPart[] {
  if (warm === undefined) return []
  return [
    ...(warm.points ? (['points'] as const) : []),
    ...(warm.seeds.hits > hits ? (['seeding'] as const) : []),
    ...(fromClusters ? (['clusters'] as const) : []),
  ]
}

function locationWarning({ location }: Pick<PreparedPoints, 'location'>): string[] {
  return location.reason === null ? [] : [location.reason]
}

async function duplicateWarning(points: PreparedPoints, k: number, signal: AbortSignal): Promise<string[]> {
  const { part } = points
  const distinct =
    part === undefined
      ? await countDistinct(points, k, signal)
      : await countDistinctOfAll(points, k, part.processes, signal)
  if (distinct >= k) return []
  const are = distinct === 1 ? 'is only 1 distinct point' : `are only ${distinct} distinct points`
  return [`There ${are} for k = ${k}, so that some clusters stay empty: choose a k of at most ${distinct}.`]
}

function repeatWarning({ init, nInit }: RunConfig): string[] {
  if (nInit === 1 || !startsAlike(init)) return []
  return [
    `The initialisation '${init}' does not depend on the seed, so the ${nInit} restarts are all the same.`,
  ]
}

/** The engine that carries the run out whatever happens; null where there are several. */
function onlyEngine(candidates: readonly ResolvedRun[]): EngineId | null {
  const ids = new Set(candidates.map(({ engine }) => engine.id))
  return ids.size === 1 ? candidates[0].engine.id : null
}
