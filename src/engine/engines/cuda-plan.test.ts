import { expect, it } from 'vitest'
import type { CudaFacts, PlanQuestion } from '@shared/plan'
import { sessionConfig } from '@tests/parity/session-config'
import { carriedOut, cudaQuestion, cudaRegimes, planOf } from './cuda-plan'
import type { CudaAddon } from './native'

const card: CudaFacts = {
  engine: 'cuda',
  name: 'a card',
  computeCapability: [9, 0],
  multiprocessors: 132,
  threadsPerMultiprocessor: 2048,
  registersPerMultiprocessor: 65536,
  sharedBytesPerBlock: 232448,
  sharedBytesPerMultiprocessor: 233472,
  l2Bytes: 2 ** 26,
  memoryBytes: 2 ** 37,
  cooperativeLaunch: true,
}

const memory = { freeBytes: () => 2 ** 36, mustStream: () => false, deviceFacts: () => card }

/** Of a session that says how long it lasts: long enough for bounds. */
function ask(n: number, d: number, k: number): PlanQuestion<CudaFacts> {
  return { shape: { n, d, k }, device: card, hints: { iterations: 300 } }
}

function built(variant: string, shape: readonly [number, number, number], planned = {}) {
  const question = ask(...shape)
  return carriedOut(cudaRegimes(variant), question, {
    ...sessionConfig(variant, { k: shape[2] }),
    ...planned,
  })
}

it('tells the addon every regime that is tried, in the order of their probes', () => {
  expect(built('fused', [10_000_000, 2, 10])).toEqual({
    regime: 'neighbour-boxes',
    otherwise: 'staged-points',
    otherPasses: 'staged-points',
  })
  expect(built('fused', [1_000_000, 8, 400])).toEqual({
    regime: 'tile-bounds',
    otherwise: null,
    otherPasses: 'neighbour-boxes,matrix-scores',
  })
  expect(built('thrust', [1000, 8, 4])).toEqual({ regime: null, otherwise: null, otherPasses: null })
})

it('follows the plan of the configuration, with all that its probe leads to', () => {
  const planned = { regime: 'neighbour-boxes', otherwise: 'staged-points' }
  expect(built('fused', [10_000_000, 2, 10], planned).otherwise).toBe('staged-points')
  const forced = { regime: 'neighbour-boxes', otherwise: null }
  expect(built('fused', [10_000_000, 2, 10], forced)).toMatchObject({
    regime: 'neighbour-boxes',
    otherwise: null,
  })
})

it('refuses in one sentence', () => {
  expect(() => built('fused', [1000, 8, 4], { regime: 'matrix-filter' })).toThrow('9 features and more')
  expect(() => built('fused', [1000, 8, 4], { regime: 'tile-bounds' })).toThrow('Tiles are made of 2049')
  expect(() => built('fused', [1000, 8, 4], { regime: 'tiny' })).toThrow(
    'one of tile-bounds, point-bounds, message-passing',
  )
})

it('asks with what the configuration counts and times, and what memory is free beside the points', () => {
  const config = sessionConfig('fused', { k: 3, timing: 'phases', trackChanged: false, stop: 'labels' })
  const addon = memory as unknown as CudaAddon
  expect(cudaQuestion(addon, config, { n: 100, d: 2, k: 3 }, 0)).toEqual({
    shape: { n: 100, d: 2, k: 3 },
    device: card,
    hints: { streamed: false, freeBytes: 2 ** 36 - 800, countsChanges: true, timed: true },
  })
})

it('says what was built, and why', () => {
  const table = cudaRegimes('fused') ?? []
  const question = ask(10_000_000, 2, 10)
  const carried = built('fused', [10_000_000, 2, 10])
  const findings = { 'neighbours-together': false }
  const plan = planOf(table, question, { regime: 'staged-points', findings }, carried)
  expect(plan.regime).toBe('staged-points')
  expect(plan.reason).toContain('reading the points takes longest')
  const forced = planOf(table, question, { regime: 'tiled', findings: {} }, { ...carried, regime: 'tiled' })
  expect(forced).toEqual({ regime: 'tiled', reason: 'It was asked for by name.' })
  // Of points that pass through the device the native session tells nothing.
  const streamed = { ...question, hints: { streamed: true } }
  const only = { regime: 'staged-points', otherwise: null, otherPasses: null }
  expect(planOf(table, streamed, { regime: '', findings: {} }, only).regime).toBe('staged-points')
})
