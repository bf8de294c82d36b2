import { describe, expect, it } from 'vitest'
import type { Coordinates, IterationStats, Points, SessionConfig } from '@engine/engines/engine'
import { stopRules, type StopRule } from '@shared/run-config'
import { findContenders, withSession, type Contender } from './contenders'
import { sessionConfig } from './session-config'
import { latticePoints, randomPoints, spreadRows } from './fixtures'
import { ReferenceSession } from './reference-engine'
import { sameBytesChecks } from './same-bytes'
import { unlessRefused } from './unless-refused'

const { found } = await findContenders()
const never = new AbortController().signal
const unlimited = { iterations: 1_000_000, milliseconds: 60_000 }

function bits(values: Coordinates): number[] {
  return [...new Uint32Array(values.slice().buffer)]
}

describe.each(found.filter(({ deterministic }) => deterministic))('$name', (contender) => {
  for (const { group, name, run } of sameBytesChecks(contender)) {
    it(`gives the ${group} (${name})`, unlessRefused(run))
  }

  it(
    'does not depend on what is counted and timed',
    unlessRefused(async () => {
      const points = randomPoints({ n: 1500, d: 4, seed: 22 })
      const finals = new Set<string>()
      const ways = [
        ['total', true],
        ['total', false],
        ['iterations', false],
        ['phases', true],
      ] as const
      for (const [timing, track] of ways) {
        const config = { k: 9, timing, trackChanged: track, trackInertia: track, trackCentroids: track }
        await withSession(contender, points, config, async (session) => {
          await session.start(spreadRows(points, 9))
          await session.advance({ iterations: 6, milliseconds: 60_000 }, never)
          const { labels, centroids } = await session.read()
          finals.add(JSON.stringify([bits(centroids), [...labels]]))
        })
      }
      expect(finals.size).toBe(1)
    }),
  )
})

describe.each(found)('stop rules of $name', (contender) => {
  const points = randomPoints({ n: 900, d: 2, seed: 33 })
  const k = 7

  for (const stop of stopRules.filter((rule) => rule !== 'none')) {
    it(
      `${stop} stops in the iteration in which the reference stops`,
      unlessRefused(async () => {
        const { iteration, threshold } = await aimAt(points, k, stop)
        const ofContender = await lastOf(contender, points, { k, stop, threshold })
        expect(ofContender).toMatchObject({ iteration, stop: true })
      }),
    )
  }

  for (const stop of stopRules.filter((rule) => rule !== 'none')) {
    it(
      `${stop} stops at the fixed point at a bound of 0`,
      unlessRefused(async () => {
        const exact = latticePoints(64, 1, 9, 3)
        const last = await lastOf(contender, exact, { k: 3, stop, threshold: 0 })
        expect(last.stop).toBe(true)
        expect(await referenceIterations(exact, sessionConfig(contender.variant, { k: 3, stop }))).toBe(
          last.iteration,
        )
      }),
    )
  }

  it(
    'none goes on past the fixed point',
    unlessRefused(async () => {
      const exact = latticePoints(64, 1, 9, 3)
      await withSession(contender, exact, { k: 3, stop: 'none' }, async (session) => {
        await session.start(spreadRows(exact, 3))
        const stats = await session.advance({ iterations: 40, milliseconds: 60_000 }, never)
        expect(stats).toHaveLength(40)
        expect(stats.some(({ stop }) => stop)).toBe(false)
        expect(stats.at(-1)?.maxShift).toBe(0)
      })
    }),
  )

  it(
    'a cancelled call answers what was finished, and the run can go on',
    unlessRefused(async () => {
      await withSession(contender, points, { k, stop: 'none' }, async (session) => {
        await session.start(spreadRows(points, k))
        expect(await session.advance(unlimited, AbortSignal.abort())).toEqual([])
        const control = new AbortController()
        setTimeout(() => control.abort(), 50)
        const done = await session.advance(unlimited, control.signal)
        expect(done.map(({ iteration }) => iteration)).toEqual(done.map((_, i) => i + 1))
        const [next] = await session.advance({ iterations: 1, milliseconds: 60_000 }, never)
        expect(next.iteration).toBe(done.length + 1)
      })
    }),
  )
})

/**
 * A bound that the reference meets for the first time in one iteration and misses clearly in all before: half
 * way (as a ratio) between the value there and the smallest before, so that roundings cannot move the stop.
 */
async function aimAt(points: Points, k: number, stop: StopRule) {
  const session = new ReferenceSession(points, sessionConfig('reference', { k }))
  await session.start(spreadRows(points, k))
  const stats = await session.advance({ iterations: 40, milliseconds: 60_000 }, never)
  const values = stats.map((_, i) => measure(stats, i, stop))
  const target = values.findIndex(
    (value, i) => i > 3 && value > 0 && value < 0.8 * Math.min(...values.slice(0, i)),
  )
  const before = Math.min(...values.slice(0, target))
  const bound = Math.sqrt(values[target] * before)
  return { iteration: target + 1, threshold: stop === 'labels' ? bound / points.n : bound }
}

function measure(stats: readonly IterationStats[], i: number, stop: StopRule): number {
  if (stop === 'relative-shift') return stats[i].shiftSquared
  if (stop === 'coordinate-shift') return stats[i].maxCoordinateShift
  if (stop === 'labels') return stats[i].changed ?? 0
  return i === 0 ? Number.POSITIVE_INFINITY : (stats[i - 1].inertia ?? 0) - (stats[i].inertia ?? 0)
}

async function lastOf(
  contender: Contender,
  points: Points,
  config: Partial<SessionConfig> & { readonly k: number },
): Promise<IterationStats> {
  return withSession(contender, points, config, async (session) => {
    await session.start(spreadRows(points, config.k))
    const stats = await session.advance({ iterations: 200, milliseconds: 60_000 }, never)
    return stats[stats.length - 1]
  })
}

async function referenceIterations(points: Points, config: SessionConfig): Promise<number> {
  const session = new ReferenceSession(points, config)
  await session.start(spreadRows(points, config.k))
  return (await session.advance({ iterations: 200, milliseconds: 60_000 }, never)).length
}
