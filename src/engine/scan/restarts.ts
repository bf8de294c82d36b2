import type { RunConfig } from '@shared/run-config'
import type { PhaseTimings } from '@shared/run-record'
import { loadCpuAddon } from '../engines/native'
import { nativeSeedingKernel } from '../init/native-kernel'
import { cluster } from '../run/clustering'
import type { Clustering, ClusteringJob, RestartOutcome, RunObserver } from '../run/types'

const quiet: RunObserver = { phase: () => undefined, iterations: () => undefined }

/** Coordinates that sessions beside each other may hold together: each has a copy in its own layout. */
const sharedCoordinates = 2 ** 26
/** Threads of the process that answer calls of addons: more sessions would wait for each other. */
const maxAtOnce = 4

/**
 * All restarts of a job, several at a time on the processor, each on one thread: they wait for nobody between two
 * iterations. The clustering is that of `cluster`, whose best restart, the first of equals, does not depend on it.
 * @throws LabError as `cluster`
 */
export async function runAllRestarts(job: ClusteringJob, signal: AbortSignal): Promise<Clustering> {
  const began = performance.now()
  const atOnce = sessionsAtOnce(job)
  if (atOnce < 2) return cluster(job, quiet, signal)
  // One that fails ends the others.
  const failing = new AbortController()
  const until = AbortSignal.any([signal, failing.signal])
  const kernel = nativeSeedingKernel(1)
  const parts = partsOf(job.config, atOnce).map(async ({ config, first }) => {
    const part = await cluster(
      { ...shifted(job, first), config, threads: 1, ...(kernel && { kernel }) },
      quiet,
      until,
    )
    return withFirst(part, first)
  })
  try {
    return merged(await Promise.all(parts), performance.now() - began)
  } catch (thrown) {
    failing.abort()
    await Promise.allSettled(parts)
    throw thrown
  }
}

/** 1 where a session for all threads is as good, or there is no room for several. */
function sessionsAtOnce({ points, config, candidates }: ClusteringJob): number {
  const only = candidates.every(({ engine }) => engine.id === 'cpu')
  if (!only || points.x instanceof Float64Array) return 1
  const threads = loadCpuAddon().addon?.versions().threads ?? 1
  const fitting = Math.floor(sharedCoordinates / (points.n * points.d))
  const atOnce = Math.min(threads, config.nInit, fitting, maxAtOnce)
  // Large data keep all threads busy anyway.
  const isSmall = points.n * points.d * config.k <= sharedCoordinates
  return isSmall || atOnce >= threads ? atOnce : 1
}

/** Restarts in order, as evenly as can be. */
function partsOf(config: RunConfig, count: number): { config: RunConfig; first: number }[] {
  const { nInit, seed } = config
  return Array.from({ length: count }, (_, part) => {
    const first = Math.floor((part * nInit) / count)
    const last = Math.floor(((part + 1) * nInit) / count)
    return { config: { ...config, nInit: last - first, seed: seed + first }, first }
  })
}

/** A part numbers its restarts from 0. */
function shifted(job: ClusteringJob, first: number): ClusteringJob {
  const { restartDone } = job
  if (restartDone === undefined) return job
  return {
    ...job,
    restartDone: (outcome, milliseconds) => restartDone(numbered(outcome, first), milliseconds),
  }
}

function numbered(outcome: RestartOutcome, first: number): RestartOutcome {
  return { ...outcome, summary: { ...outcome.summary, run: outcome.summary.run + first } }
}

function withFirst(part: Clustering, first: number): Clustering {
  const restarts = part.restarts.map((summary) => ({ ...summary, run: summary.run + first }))
  return { ...part, best: numbered(part.best, first), restarts }
}

/** @param totalMs wall time of all */
function merged(parts: readonly Clustering[], totalMs: number): Clustering {
  const best = parts.reduce((least, part) =>
    part.best.final.inertia < least.best.final.inertia ? part : least,
  )
  const sum = (of: (part: Clustering) => number) => parts.reduce((all, part) => all + of(part), 0)
  return {
    ...best,
    restarts: parts.flatMap(({ restarts }) => restarts),
    timings: mergedTimings(
      parts.map(({ timings }) => timings),
      totalMs,
    ),
    setUpMs: sum(({ setUpMs }) => setUpMs),
    iteratingMs: sum(({ iteratingMs }) => iteratingMs),
    finalAssignMs: sum(({ finalAssignMs }) => finalAssignMs),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  }
}

/** Phases beside each other add up to more than the total: their mean over the sessions stands for them. */
function mergedTimings(all: readonly PhaseTimings[], totalMs: number): PhaseTimings {
  const mean = (name: 'uploadMs' | 'initMs' | 'downloadMs') =>
    all.reduce((sum, timings) => sum + timings[name], 0) / all.length
  const [uploadMs, initMs, downloadMs] = [mean('uploadMs'), mean('initMs'), mean('downloadMs')]
  const otherMs = Math.max(0, totalMs - uploadMs - initMs - downloadMs)
  return { ...all[0], uploadMs, initMs, downloadMs, otherMs, totalMs }
}
