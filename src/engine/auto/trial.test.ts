import { expect, it } from 'vitest'
import type { Engine, IterationStats, Points, SessionConfig } from '../engines/engine'
import { blobPoints } from './synthetic'
import { trialIterationMs, trialPoints } from './trial'

const plan = { regime: 'tiled', probe: { name: 'looks', otherwise: 'plain' } } as const
const { signal } = new AbortController()

/** An iteration takes .1 ms and a tenth of a microsecond for each point, by a clock of its own. */
function clockwork() {
  let clock = 0
  const asked: unknown[] = []
  const engine = {
    open(points: Points, { regime, otherwise, threads, k }: SessionConfig) {
      asked.push({ n: points.n, k, regime, otherwise, threads })
      const advance = ({ iterations }: { readonly iterations: number }) => {
        clock += iterations * (0.1 + points.n / 10_000)
        return Promise.resolve(
          Array.from({ length: iterations }, () => ({ shiftSquared: 1 }) as IterationStats),
        )
      }
      return Promise.resolve({ start: () => Promise.resolve(), advance, close: () => Promise.resolve() })
    },
  } as unknown as Engine
  const device = { id: 'cpu', name: 'clockwork', memoryBytes: null, software: false }
  return { run: { engine, device, variant: 'fused' } as const, how: { now: () => clock, threads: 1 }, asked }
}

it('foretells many points from fewer, carried out as the plan says', async () => {
  const { run, how, asked } = clockwork()
  const shape = { n: 1_000_000, d: 4, k: 7 }
  const ms = await trialIterationMs(run, plan, shape, trialPoints(shape), signal, how)
  expect(ms).toBeCloseTo(0.1 + 100, 6)
  expect(asked[0]).toEqual({ n: 4096, k: 7, regime: 'tiled', otherwise: 'plain', threads: 1 })
})

it('tries points that are few enough as they are', async () => {
  const { run, how } = clockwork()
  const shape = { n: 500, d: 2, k: 3 }
  expect(await trialIterationMs(run, plan, shape, trialPoints(shape), signal, how)).toBeCloseTo(0.15, 9)
})

it('points of trials are no more than an iteration needs to be long enough, and lie in their range', () => {
  expect(trialPoints({ n: 100_000_000, d: 64, k: 10 }).n).toBe(2 ** 16)
  const { x, maxAbs } = blobPoints({ n: 5000, d: 3 })
  expect(x.every((value, at) => Math.abs(value) <= maxAbs[at % 3])).toBe(true)
})
