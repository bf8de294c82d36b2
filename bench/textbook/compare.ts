import type { Coordinates, Points, Session } from '@engine/engines/engine'
import { cpuEngine } from '@engine/engines/cpu'
import { plainSession } from '@engine/engines/session-config'
import { LabError } from '@shared/errors'
import { textbookIds, type Textbook, type TextbookId, type TextbookResult } from './programs'
import { dataOf, type Workload } from './workloads'

/** Variants of ours, as the product runs them, in both precisions. */
const ours = {
  sequential: { variant: 'sequential', precision: 'float32' },
  eigen: { variant: 'eigen', precision: 'float32' },
  'sequential float64': { variant: 'sequential', precision: 'float64' },
  'eigen float64': { variant: 'eigen', precision: 'float64' },
} as const
export type OurId = keyof typeof ours
export const ourIds = Object.keys(ours) as OurId[]
export type RunnerId = TextbookId | OurId

/** Those that this machine's addon offers. */
export function offeredIds(): OurId[] {
  const offered = new Set<string>(cpuEngine.variants().map(({ id }) => id))
  return ourIds.filter((id) => offered.has(ours[id].variant))
}

/**
 * Final centroids from the same start after as many iterations may differ by that much, in ranges of a column: programs
 * round differently, so that a point between two centroids may go either way, and the means follow it.
 */
export const maxDifference = 1e-3

/** Times of one program on one workload, a turn each. */
export interface Turns {
  readonly id: RunnerId
  /** Milliseconds of processor time an iteration. */
  readonly ms: readonly number[]
  /** Largest difference of a final centroid from those of another program, in ranges of its column: see `comparedWith`. */
  readonly difference: number
}

type Runner = () => Promise<TextbookResult>

/**
 * All programs on the same points and start, in turns, so that what the machine does besides hits all of them alike.
 * @throws LabError `internal` where final centroids differ by more than `maxDifference`.
 */
export async function compare(textbook: Textbook, workload: Workload, repeats: number): Promise<Turns[]> {
  const { points, centroids } = dataOf(workload)
  const input = await textbook.give(points, centroids)
  const sessions = await openSessions(points, workload.k)
  const runners = new Map<RunnerId, Runner>()
  for (const id of textbookIds) {
    if (id === 'pairs' && points.d !== 2) continue
    runners.set(id, () => textbook.run(id, input, workload.iterations))
  }
  for (const [id, session] of sessions) {
    const start = ours[id].precision === 'float64' ? Float64Array.from(centroids) : centroids
    runners.set(id, () => runOurs(session, start, workload.iterations))
  }
  try {
    return await takeTurns(runners, points, repeats)
  } finally {
    for (const session of sessions.values()) await session.close()
  }
}

/** One turn each that is not counted, then the repeats. */
async function takeTurns(runners: ReadonlyMap<RunnerId, Runner>, points: Points, repeats: number) {
  const times = new Map<RunnerId, number[]>()
  const last = new Map<RunnerId, Float64Array>()
  for (let turn = 0; turn <= repeats; turn++) {
    for (const [id, run] of runners) {
      const { msPerIteration, centroids } = await run()
      if (turn > 0) times.set(id, [...(times.get(id) ?? []), msPerIteration])
      last.set(id, centroids)
    }
  }
  const ranges = rangesOf(points)
  return [...last].map(([id, centroids]) => {
    const against = comparedWith(id, last)
    const difference = largestDifference(centroids, last.get(against) ?? new Float64Array(), ranges)
    requireAgreement(id, against, difference)
    return { id, ms: times.get(id) ?? [], difference }
  })
}

/** A program of the same precision where there is one: a point that float32 cannot place moves a mean of few members far. */
function comparedWith(id: RunnerId, all: ReadonlyMap<RunnerId, unknown>): RunnerId {
  if (id in ours && ours[id as OurId].precision === 'float64') {
    return all.has('pairs') ? 'pairs' : 'sequential float64'
  }
  return 'rescan'
}

function requireAgreement(id: RunnerId, against: RunnerId, difference: number): void {
  if (difference <= maxDifference) return
  const message = `The centroids of ${id} differ from those of ${against} by ${difference} of a column's range: more than ${maxDifference}.`
  throw new LabError('internal', 'bench.centroids', message)
}

async function openSessions(points: Points, k: number): Promise<Map<OurId, Session>> {
  const held = { float32: points, float64: { ...points, x: Float64Array.from(points.x) } }
  const sessions = new Map<OurId, Session>()
  for (const id of offeredIds()) {
    const { variant, precision } = ours[id]
    sessions.set(id, await cpuEngine.open(held[precision], plainSession(variant, { k }), null))
  }
  return sessions
}

async function runOurs(session: Session, start: Coordinates, iterations: number): Promise<TextbookResult> {
  await session.start(start)
  const never = new AbortController().signal
  const budget = { iterations, milliseconds: Number.MAX_SAFE_INTEGER }
  const began = process.cpuUsage()
  await session.advance(budget, never)
  const { user, system } = process.cpuUsage(began)
  const { centroids } = await session.read()
  return { msPerIteration: (user + system) / 1000 / iterations, centroids: Float64Array.from(centroids) }
}

/** (d) largest minus smallest value of each column. */
function rangesOf({ x, d }: Points): Float64Array {
  const least = new Float64Array(d).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(d).fill(Number.NEGATIVE_INFINITY)
  for (let at = 0; at < x.length; at++) {
    least[at % d] = Math.min(least[at % d], x[at])
    most[at % d] = Math.max(most[at % d], x[at])
  }
  return most.map((value, j) => value - least[j])
}

/** In ranges of the columns; a column without a range counts as it is. */
export function largestDifference(a: Float64Array, b: Float64Array, ranges: Float64Array): number {
  return a.reduce((largest, value, at) => {
    const difference = Math.abs(value - b[at]) / (ranges[at % ranges.length] || 1)
    return Math.max(largest, difference)
  }, 0)
}
