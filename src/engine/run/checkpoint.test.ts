import { describe, expect, it } from 'vitest'
import { randomPoints } from '@tests/parity/fixtures'
import { preparedPoints } from '@tests/parity/prepared-points'
import { referenceEngine, ReferenceSession } from '@tests/parity/reference-engine'
import type { ColumnInfo } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type { Engine } from '../engines/engine'
import { typescriptKernel } from '../init/typescript-kernel'
import type { Checkpoint, Clustering, RunObserver } from './types'
import { cluster } from './clustering'
import { segmentsWarning } from './engine-segments'

const never = new AbortController().signal
const points = preparedPoints(randomPoints({ n: 400, d: 2, seed: 6 }))
const features = [0, 1].map((index): ColumnInfo => ({
  ...{ index, name: `x${index}`, type: 'numeric', because: '', missing: 0, notNumeric: 0 },
  ...{ min: null, max: null, mean: null, integer: false, proposed: true },
}))
const card = { id: 'cuda:0', name: 'Card', memoryBytes: null, software: false }
const processor = { id: 'cpu', name: 'Processor', memoryBytes: null, software: false }

type Call = 'advance' | 'read'

/** Three iterations a call; the `nth` call of one kind loses the device. */
function losing(call: Call | null, nth = 0): Engine {
  return {
    ...referenceEngine,
    id: call === null ? 'cpu' : 'cuda',
    open: async (given, config) => {
      const session = new ReferenceSession(given, config)
      let left = nth
      const lose = (which: Call) => {
        if (which === call && --left === 0) throw new LabError('engine-lost', 'cuda.lost', 'Device lost.')
      }
      const advance = session.advance.bind(session)
      session.advance = async ({ iterations }, signal) => {
        lose('advance')
        return advance({ iterations: Math.min(3, iterations), milliseconds: 1e9 }, signal)
      }
      const read = session.read.bind(session)
      session.read = async () => {
        lose('read')
        return read()
      }
      return session
    },
  }
}

function run(engine: Engine, changes: Partial<RunConfig>, observer: Partial<RunObserver>, from?: Checkpoint) {
  const config = { ...defaultRunConfig, k: 12, ...changes }
  const device = engine.id === 'cuda' ? card : processor
  const candidates = [{ engine, device, variant: 'sequential' }]
  const job = { points, features, config, candidates, loadMs: 0, kernel: typescriptKernel }
  const whole = { phase: () => undefined, iterations: () => undefined, ...observer }
  return cluster(from ? { ...job, from } : job, whole, never)
}

/** Loses the device and goes on where that left off, with the checkpoint as a pipe or a disk would hand it on. */
async function broken(call: Call, nth: number, config: Partial<RunConfig>) {
  let take: (() => Checkpoint) | null = null
  const checkpointReady = (taker: () => Checkpoint) => (take = taker)
  await expect(run(losing(call, nth), config, { checkpointReady })).rejects.toMatchObject({
    kind: 'engine-lost',
  })
  const checkpoint = structuredClone((take as unknown as () => Checkpoint)())
  return { checkpoint, resumed: await run(losing(null), config, {}, checkpoint) }
}

/** All of a clustering that is no time. */
function outcome({ best, restarts, history }: Clustering) {
  const { labels, centroids, initialCentroids, summary } = best
  const rows = history.rows.map(({ totalMs: _t, ...row }) => row)
  return { labels, centroids, initialCentroids, summary, restarts, rows, kept: history.centroids }
}

const histories = [
  { history: true, centroidHistory: true },
  { history: true, timing: 'total' },
  { history: false },
] as const

describe('a run that goes on after its device was lost', () => {
  it.each([
    { stop: 'relative-shift' },
    { stop: 'labels' },
    { stop: 'inertia', tolerance: 1e-9 },
    { stop: 'none', maxIterations: 20 },
    { stop: 'labels', empty: 'farthest', init: 'random' },
  ] as const)('ends as if nothing had happened: %o', async (config) => {
    for (const kept of histories) {
      const whole = await run(losing(null), { ...config, ...kept }, {})
      expect(whole.best.summary.iterations).toBeGreaterThan(9)
      for (const [call, nth] of [
        ['advance', 1],
        ['advance', 2],
        ['advance', 4],
        ['read', 1],
      ] as const) {
        const { resumed } = await broken(call, nth, { ...config, ...kept })
        expect(outcome(resumed)).toEqual(outcome(whole))
      }
    }
  })

  it('loses no restart that was over, and the best of them wins', async () => {
    const config = { init: 'random', nInit: 5, seed: 3, history: true, stop: 'labels' } as const
    const whole = await run(losing(null), config, {})
    const { checkpoint, resumed } = await broken('read', 4, config)
    expect(checkpoint).toMatchObject({ restart: 3, finished: whole.restarts.slice(0, 3) })
    expect(outcome(resumed)).toEqual(outcome(whole))
  })

  it('begins no iteration again but the one that the next is compared with', async () => {
    const { checkpoint, resumed } = await broken('advance', 4, { history: true })
    expect(checkpoint).toMatchObject({ iterations: 9, known: { iteration: 8 } })
    const end = resumed.best.summary.iterations
    expect(resumed.engineSegments).toMatchObject([
      { engine: 'cuda', deviceName: 'Card', from: { run: 0, iteration: 1 }, to: { run: 0, iteration: 9 } },
      { engine: 'cpu', from: { run: 0, iteration: 10 }, to: { run: 0, iteration: end } },
    ])
    expect(segmentsWarning(resumed.engineSegments, 1)).toEqual([
      `This run was carried on by another engine: iterations 1 to 9 on cuda (Card, sequential), which was lost; iterations 10 to ${end} on cpu (Processor, sequential).`,
    ])
    expect(resumed.timings.totalMs).toBeGreaterThan(checkpoint.spent.totalMs)
  })

  it('begins before the clusters were dropped, since no engine starts without some', async () => {
    const config = { empty: 'drop', init: 'random', stop: 'labels', history: true, k: 40, seed: 2 } as const
    const whole = await run(losing(null), config, {})
    const { resumed } = await broken('advance', 3, config)
    expect(outcome(resumed)).toEqual(outcome(whole))
  })
})
