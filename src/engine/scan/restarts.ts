import type { PhaseTimings, RestartSummary } from '@shared/run-record'
import { loadCpuAddon } from '../engines/native'
import { nativeSeedingKernel } from '../init/native-kernel'
import { cluster } from '../run/clustering'
import type { Clustering, ClusteringJob, RestartOutcome, RunObserver } from '../run/types'
import { better, type KeptRestarts } from './kept-restarts'

const quiet: RunObserver = { phase: () => undefined, iterations: () => undefined }

/** Coordinates that sessions beside each other may hold together: each has a copy in its own layout. */
const sharedCoordinates = 2 ** 26
/** Threads of the process that answer calls of addons: more sessions would wait for each other. */
const maxAtOnce = 4

/**
 * All restarts of a job, several at a time on the processor, each on one thread: they wait for nobody between two
 * iterations. The clustering is that of `cluster`, whose best restart, the first of equals, does not depend on it.
 * @param kept restarts that are finished: they are not made again. Where all are, the last one is, for what it tells of the session.
 * @throws LabError as `cluster`
 */
export async function runAllRestarts(
  job: ClusteringJob,
  signal: AbortSignal,
  kept: KeptRestarts | null = null,
): Promise<Clustering> {
  const began = performance.now()
  const missing = missingRestarts(job.config.nInit, kept)
  const atOnce = sessionsAtOnce(job, countOf(missing))
  if (atOnce === 1 && countOf(missing) === job.config.nInit) return cluster(job, quiet, signal)
  // One that fails ends the others.
  const failing = new AbortController()
  const until = AbortSignal.any([signal, failing.signal])
  const alone = atOnce === 1 ? {} : oneThread()
  const parts = dealt(missing, atOnce).map((some) => inOrder(some, { ...job, ...alone }, until))
  try {
    const clusterings = (await Promise.all(parts)).flat()
    return merged(clusterings, kept, performance.now() - began)
  } catch (thrown) {
    failing.abort()
    await Promise.allSettled(parts)
    throw thrown
  }
}

/** Of 0..count-1 those that are not kept, ascending; where all are, the last one. */
function missingRestarts(count: number, kept: KeptRestarts | null): readonly RestartRange[] {
  const ranges: RestartRange[] = []
  let next = 0
  for (const restart of kept?.finished() ?? []) {
    if (restart >= count) break
    if (restart > next) ranges.push({ first: next, count: restart - next })
    next = restart + 1
  }
  if (next < count) ranges.push({ first: next, count: count - next })
  return ranges.length > 0 ? ranges : [{ first: count - 1, count: 1 }]
}

function oneThread(): Pick<ClusteringJob, 'threads' | 'kernel'> {
  const kernel = nativeSeedingKernel(1)
  return { threads: 1, ...(kernel && { kernel }) }
}

/** 1 where a session for all threads is as good, or there is no room for several. */
function sessionsAtOnce({ points, config, candidates }: ClusteringJob, restarts: number): number {
  const only = candidates.every(({ engine }) => engine.id === 'cpu')
  if (!only || points.x instanceof Float64Array) return 1
  const threads = loadCpuAddon().addon?.versions().threads ?? 1
  const fitting = Math.floor(sharedCoordinates / (points.n * points.d))
  const atOnce = Math.max(1, Math.min(threads, restarts, fitting, maxAtOnce))
  // Large data keep all threads busy anyway.
  const isSmall = points.n * points.d * config.k <= sharedCoordinates
  return isSmall || atOnce >= threads ? atOnce : 1
}

/** Consecutive ones together, as evenly as can be. */
function dealt(ranges: readonly RestartRange[], parts: number): (readonly RestartRange[])[] {
  const all = countOf(ranges)
  const at = (part: number) => Math.floor((part * all) / parts)
  return Array.from({ length: parts }, (_, part) => between(ranges, at(part), at(part + 1)))
}

/** Those at the positions `from` to `to`, without the latter. */
function between(ranges: readonly RestartRange[], from: number, to: number): readonly RestartRange[] {
  const found: RestartRange[] = []
  let position = 0
  for (const { first, count } of ranges) {
    const [begin, end] = [Math.max(from, position), Math.min(to, position + count)]
    if (begin < end) found.push({ first: first + begin - position, count: end - begin })
    position += count
  }
  return found
}

function countOf(ranges: readonly RestartRange[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0)
}

interface RestartRange {
  readonly first: number
  readonly count: number
}

/** A session for each range, one after the other. */
async function inOrder(
  ranges: readonly RestartRange[],
  job: ClusteringJob,
  signal: AbortSignal,
): Promise<Clustering[]> {
  const parts: Clustering[] = []
  for (const { first, count } of ranges) {
    const config = { ...job.config, nInit: count, seed: job.config.seed + first }
    const part = await cluster({ ...shifted(job, first), config }, quiet, signal)
    parts.push(withFirst(part, first))
  }
  return parts
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

/** @param totalMs wall time of all parts made now */
function merged(parts: readonly Clustering[], kept: KeptRestarts | null, totalMs: number): Clustering {
  const made = parts.map(({ best }) => best)
  const best = [...(kept?.best ? [kept.best] : []), ...made].reduce(better)
  const sum = (of: (part: Clustering) => number) => parts.reduce((all, part) => all + of(part), 0)
  const timings = mergedTimings(
    parts.map((part) => part.timings),
    totalMs,
  )
  return {
    ...(parts.find((part) => part.best === best) ?? parts[0]),
    best,
    restarts: allSummaries(parts, kept),
    timings: withEarlier(timings, kept?.spentMs ?? 0),
    setUpMs: sum(({ setUpMs }) => setUpMs),
    iteratingMs: sum(({ iteratingMs }) => iteratingMs),
    finalAssignMs: sum(({ finalAssignMs }) => finalAssignMs),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  }
}

function allSummaries(parts: readonly Clustering[], kept: KeptRestarts | null): RestartSummary[] {
  const made = parts.flatMap(({ restarts }) => restarts)
  const earlier = (kept?.summaries() ?? []).filter(({ run }) => !made.some((one) => one.run === run))
  return [...earlier, ...made].sort((a, b) => a.run - b.run)
}

/** The parts before a cancel have no phases of their own. */
function withEarlier(timings: PhaseTimings, spentMs: number): PhaseTimings {
  const { otherMs, totalMs } = timings
  return { ...timings, otherMs: otherMs + spentMs, totalMs: totalMs + spentMs }
}

/** Phases beside each other add up to more than the total: their mean over the sessions stands for them. */
function mergedTimings(all: readonly PhaseTimings[], totalMs: number): PhaseTimings {
  const mean = (name: 'uploadMs' | 'initMs' | 'downloadMs') =>
    all.reduce((sum, timings) => sum + timings[name], 0) / all.length
  const [uploadMs, initMs, downloadMs] = [mean('uploadMs'), mean('initMs'), mean('downloadMs')]
  const otherMs = Math.max(0, totalMs - uploadMs - initMs - downloadMs)
  return { ...all[0], uploadMs, initMs, downloadMs, otherMs, totalMs }
}
