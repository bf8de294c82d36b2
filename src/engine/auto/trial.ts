import type { Plan } from '@shared/plan'
import type { Session, Points } from '../engines/engine'
import { plainSession } from '../engines/session-config'
import { Draws } from '../init/philox'
import type { ResolvedRun } from '../run/types'
import { throwIfAborted } from '../slices'
import type { Shape } from './cost-model'
import { blobPoints } from './synthetic'

/** Points grow by this factor, from the least, until an iteration is long enough to tell what grows with them from the rest. */
const growth = 4
const minPoints = 4096
const longEnoughMs = 1.5
const maxCoordinates = 2 ** 22
/** The first of a run: later ones take less where points no longer change their cluster. */
const iterations = 10
/** Starts of a trial: the best counts, since other work only ever adds to a time. Short ones need more. */
const [minStarts, maxStarts] = [2, 50]
const enoughMs = 10

/** What times are read from, and the threads of a session; absent: as many as there are. */
export interface Measuring {
  readonly now: () => number
  readonly threads?: number
}

const byTheClock: Measuring = { now: () => performance.now() }

/** Points for the trials of all variants of a shape. */
export function trialPoints({ n, d, k }: Shape): Points {
  return blobPoints({ n: Math.min(n, Math.max(k, minPoints, Math.floor(maxCoordinates / d))), d })
}

/**
 * Expected time of an iteration of a run of this shape: of fewer points, with as many features and clusters, carried out by the
 * regime that the plan names. Exact for the shape, but not for the data, which lie in blobs here.
 * @param points those of `trialPoints`
 */
export async function trialIterationMs(
  run: ResolvedRun,
  plan: Pick<Plan, 'regime' | 'probe'>,
  { n, k }: Shape,
  points: Points,
  signal: AbortSignal,
  how = byTheClock,
): Promise<number> {
  const timed = async (count: number) => ({
    count,
    ms: await measured(run, plan, k, firstOf(points, count), signal, how),
  })
  let smaller = { count: 0, ms: 0 }
  let last = await timed(Math.min(points.n, Math.max(k, minPoints)))
  while (last.ms < longEnoughMs && last.count < points.n) {
    const larger = await timed(Math.min(points.n, last.count * growth))
    smaller = last
    last = larger
  }
  const eachMs = (last.ms - smaller.ms) / (last.count - smaller.count)
  // An overhead below none is other work beside the smaller trial.
  const fixedMs = Math.min(last.ms, Math.max(0, last.ms - eachMs * last.count))
  return fixedMs + ((last.ms - fixedMs) / last.count) * n
}

function firstOf({ x, d, maxAbs }: Points, n: number): Points {
  return { x: x.subarray(0, n * d), n, d, maxAbs }
}

/** (k, d) rows from all parts of the points, so that some blobs get several and others none, as by chance. */
function startOf({ x, n, d }: Points, k: number): Float32Array {
  const draws = new Draws(0, 2)
  const centroids = new Float32Array(k * d)
  for (let cluster = 0; cluster < k; cluster++) {
    const row = Math.floor(((cluster + draws.uniform(0, cluster)) * n) / k)
    centroids.set(x.subarray(row * d, (row + 1) * d), cluster * d)
  }
  return centroids
}

async function measured(
  { engine, device, variant }: ResolvedRun,
  { regime, probe }: Pick<Plan, 'regime' | 'probe'>,
  k: number,
  points: Points,
  signal: AbortSignal,
  { now, threads }: Measuring,
): Promise<number> {
  const ways = { regime, otherwise: probe?.otherwise ?? null, ...(threads !== undefined && { threads }) }
  const config = plainSession(variant, { k, stop: 'relative-shift', ...ways })
  const session = await engine.open(points, config, device.id)
  try {
    return await meanOfFirst(session, startOf(points, k), now, signal)
  } finally {
    await session.close()
  }
}

/** Time of an iteration from a start: the mean of the first ones up to convergence, the best of several times. */
export async function meanOfFirst(
  session: Pick<Session, 'start' | 'advance'>,
  centroids: Float32Array,
  now: Measuring['now'],
  signal: AbortSignal,
): Promise<number> {
  const first = now()
  let best = Number.POSITIVE_INFINITY
  for (let start = 0; start < minStarts || (start < maxStarts && now() - first < enoughMs); start++) {
    await session.start(centroids)
    const began = now()
    const done = await advanced(session, signal)
    best = Math.min(best, (now() - began) / done)
  }
  return best
}

async function advanced(session: Pick<Session, 'advance'>, signal: AbortSignal): Promise<number> {
  let done = 0
  while (done < iterations) {
    throwIfAborted(signal)
    const stats = await session.advance({ iterations: iterations - done, milliseconds: 100 }, signal)
    done += stats.length
    if (stats.length === 0 || stats[stats.length - 1].shiftSquared === 0) break
  }
  return Math.max(1, done)
}
