import type { Session } from '@engine/engines/engine'
import { medianOf } from '@shared/benchmark/statistics'
import type { IterationTimes, WholeRun } from './entry'

const never = new AbortController().signal
/** A stretch lasts about as long: clocks of GPUs need time to rise, and the timer's steps disappear. */
const stretchMs = 250
const maxIterations = 2000
const iterationLimit = 300

/** Wall time of a piece of work. */
export async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const began = performance.now()
  const answer = await work()
  return { answer, ms: performance.now() - began }
}

/** Iterations that make up a stretch, when one takes that long. */
export function iterationsPerStretch(iterationMs: number): number {
  return Math.max(1, Math.min(maxIterations, Math.round(stretchMs / Math.max(iterationMs, 1e-6))))
}

/**
 * Milliseconds of one iteration, over several that start from the same centroids; the first one, which knows no labels yet,
 * is not counted.
 */
export async function timeStretch(
  session: Session,
  centroids: Float32Array,
  iterations: number,
): Promise<number> {
  await session.start(centroids)
  await session.advance({ iterations: 1, milliseconds: Number.MAX_SAFE_INTEGER }, never)
  const budget = { iterations, milliseconds: Number.MAX_SAFE_INTEGER }
  const { answer, ms } = await timed(() => session.advance(budget, never))
  return ms / answer.length
}

/** A single time may hold a pause of the driver or of the host, which must not be taken for the work. */
const looks = 3

/** The least of up to three times; one of `enough` or less ends the search. */
export async function minTime(look: () => Promise<number>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < looks && least > enough; at++) least = Math.min(least, await look())
  return least
}

/** One run until it stops by itself, meets the iteration limit or uses up its milliseconds. */
export async function timeRun(
  session: Session,
  centroids: Float32Array,
  milliseconds: number,
): Promise<WholeRun> {
  const { answer, ms } = await timed(async () => {
    await session.start(centroids)
    return session.advance({ iterations: iterationLimit, milliseconds }, never)
  })
  return { ms, runs: 1, iterations: answer.length, converged: answer.at(-1)?.stop === true }
}

/** The better of two runs of the same, of which both are counted. */
export function betterRun(one: WholeRun | null, other: WholeRun): WholeRun {
  if (one === null) return other
  const runs = one.runs + other.runs
  return other.ms < one.ms ? { ...other, runs } : { ...one, runs }
}

/** Best and median of what was measured. */
export function iterationTimes(stretches: readonly number[], iterations: number): IterationTimes | null {
  if (stretches.length === 0) return null
  return { best: Math.min(...stretches), median: medianOf(stretches), stretches, iterations }
}
