import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { referenceEngine, ReferenceSession } from '@tests/parity/reference-engine'
import { openDataset } from '@engine/csv/open-dataset'
import { engines } from '@engine/engines'
import { runCommandLine } from '@shared/command-line'
import { LabError } from '@shared/errors'
import type { BrokenRun, RunEvent } from '@shared/ipc'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { nextEngine } from '@engine/engines/next-engine'
import type { SendEvent } from '../protocol'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { runHandlers } from './runs'

const config: RunConfig = {
  ...defaultRunConfig,
  ...{ k: 8, init: 'random', stop: 'labels', history: true, centroidHistory: true, seed: 4 },
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broken-runs-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true })
})

const card = {
  webgpu: {
    engine: 'webgpu',
    name: 'Card',
    software: false,
    workgroupBytes: 49_152,
    invocationsPerWorkgroup: 1024,
    storageBindingBytes: 2_147_483_644,
    matrixUnits: false,
    lanesAtOnce: 270_336,
  },
  cuda: {
    engine: 'cuda',
    name: 'Card',
    computeCapability: [9, 0],
    multiprocessors: 132,
    threadsPerMultiprocessor: 2048,
    registersPerMultiprocessor: 65_536,
    sharedBytesPerBlock: 232_448,
    sharedBytesPerMultiprocessor: 233_472,
    l2Bytes: 62_914_560,
    memoryBytes: 150_109_880_320,
    cooperativeLaunch: true,
  },
} as const

/** A GPU engine is there and dies after nine iterations; the processor does not. @param hangs instead of dying */
function faultyCard(hangs = false, id: 'webgpu' | 'cuda' = 'webgpu'): void {
  vi.spyOn(engines[id], 'availability').mockResolvedValue({ available: true })
  vi.spyOn(engines[id], 'devices').mockResolvedValue([
    { id: 'gpu', name: 'Card', memoryBytes: null, software: false },
  ])
  vi.spyOn(engines[id], 'facts').mockResolvedValue(card[id])
  vi.spyOn(engines.cuda, 'hints').mockReturnValue({})
  vi.spyOn(engines.cuda, 'seeding').mockReturnValue(null)
  vi.spyOn(engines[id], 'open').mockImplementation(async (points, given) => {
    const session = new ReferenceSession(points, given)
    const advance = session.advance.bind(session)
    let calls = 0
    session.advance = async (_budget, signal) => {
      if (++calls <= 3) return advance({ iterations: 3, milliseconds: 1e9 }, signal)
      if (hangs) return new Promise(() => undefined)
      throw new LabError('engine-lost', 'webgpu.lost', 'Device lost.')
    }
    return session
  })
  vi.spyOn(engines.cpu, 'open').mockImplementation((points, given) =>
    referenceEngine.open(points, given, null),
  )
}

/** A host with its file open, its results in `folder`. */
async function host() {
  const events: RunEvent[] = []
  const send = ((_channel, event) => events.push(event as RunEvent)) as SendEvent
  const store = new HostStore(new Spool(folder))
  const opened = await openDataset(
    resolve('examples/wine.csv'),
    {},
    () => undefined,
    new AbortController().signal,
  )
  store.addDataset({ ...opened, id: 'data-1' })
  const startAgain = vi.fn<() => void>()
  const handlers = runHandlers(store, send, { isMeasuring: false }, startAgain)
  const end = async <K extends 'done' | 'failed'>(runId: string, kind: K) => {
    const found = () => events.find((event) => event.runId === runId && event.kind === kind)
    await expect.poll(found, { timeout: 5000 }).toBeDefined()
    return found() as Extract<RunEvent, { kind: K }>
  }
  const run = async (changes: Partial<RunConfig>) =>
    (await handlers['run.start']({ datasetId: 'data-1', config: { ...config, ...changes } })).runId
  return { handlers, store, end, run, startAgain }
}

function outcomeOf({ history, inertia, iterations, clusters }: RunRecord) {
  const rows = history.map(({ iteration, inertia: j, changed, maxShift }) => [
    iteration,
    j,
    changed,
    maxShift,
  ])
  return { rows, inertia, iterations, clusters }
}

it('a run whose device is lost goes on where it was, and its record says what ran where', async () => {
  faultyCard()
  const { handlers, end, run } = await host()
  const whole = await end(await run({ engine: 'cpu', variant: 'fused' }), 'done')
  const lost = await end(await run({ engine: 'webgpu', variant: 'fused' }), 'failed')
  expect(lost.error.kind).toBe('engine-lost')
  const broken = lost.broken as BrokenRun
  expect(broken).toMatchObject({ engine: 'webgpu', deviceName: 'Card', iterations: 9, next: 'cpu' })
  const { runId } = await handlers['run.resume']({ runId: broken.runId, engine: broken.next })
  const twice = handlers['run.resume']({ runId: broken.runId, engine: broken.next })
  await expect(twice).rejects.toMatchObject({ code: 'run.not-broken' })
  const { record } = await end(runId, 'done')
  expect(outcomeOf(record)).toEqual(outcomeOf(whole.record))
  expect(record).toMatchObject({ engine: 'cpu', deterministic: false, config: { engine: 'webgpu' } })
  expect(record.warnings[0]).toMatch(
    /iterations 1 to 9 on webgpu \(Card, fused, staged-points\), which was lost; .* on cpu \(.*, fused, tiled\)\./,
  )
  expect(record.engineSegments).toMatchObject([
    { engine: 'webgpu', regime: 'staged-points' },
    { engine: 'cpu', regime: 'tiled' },
  ])
  expect(await handlers['run.broken']({ datasetId: 'data-1' })).toBeNull()
})

it('a regime that was named is left where its engine was: another goes on by its own plan', async () => {
  faultyCard()
  const { handlers, end, run } = await host()
  const plane = ['alcohol', 'malic_acid']
  const named = { engine: 'webgpu', variant: 'fused', regime: 'staged-centroids', features: plane } as const
  const { broken } = await end(await run(named), 'failed')
  const { runId } = await handlers['run.resume']({ runId: broken!.runId, engine: 'cpu' })
  const { record } = await end(runId, 'done')
  expect(record.engineSegments).toMatchObject([{ regime: 'staged-centroids' }, { regime: 'tiled' }])
  expect(record).toMatchObject({ regime: 'tiled', config: { regime: 'staged-centroids' } })
  expect(runCommandLine(record)).not.toContain('--regime')
})

it('a run whose whole process dies goes on in the host that takes its place, unless the file is another', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  faultyCard(true)
  const first = await host()
  const runId = await first.run({ engine: 'webgpu', variant: 'fused', centroidsFile: '/home/me/secret.csv' })
  await expect
    .poll(async () => {
      vi.advanceTimersByTime(2000)
      return (await new HostStore(new Spool(folder)).broken.newest('data-1'))?.iterations
    })
    .toBe(9)
  const second = await host()
  const broken = await second.handlers['run.broken']({ datasetId: 'data-1' })
  expect(broken).toMatchObject({ runId, iterations: 9, next: 'cpu', config: { centroidsFile: null } })
  const again = await second.handlers['run.resume']({ runId, engine: 'cpu' })
  const { record } = await second.end(again.runId, 'done')
  expect(record.history.map(({ iteration }) => iteration)).toEqual(
    Array.from({ length: record.iterations }, (_, i) => i + 1),
  )
  expect(record.engineSegments).toHaveLength(2)
  const missing = second.handlers['run.resume']({ runId, engine: 'cpu' })
  await expect(missing).rejects.toMatchObject({ code: 'run.not-broken' })
  await first.handlers['run.cancel']({ runId })
})

it.each([
  ['cuda', 1],
  ['webgpu', 0],
] as const)(
  'a process that lost %s is of no more use to it: started again %d times',
  async (engine, times) => {
    faultyCard(false, engine)
    const { end, run, startAgain } = await host()
    await end(await run({ engine, variant: 'fused' }), 'failed')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(startAgain).toHaveBeenCalledTimes(times)
  },
)

it('a checkpoint that cannot take its place is not called kept, and does not stand in the way', async () => {
  const spool = new Spool(folder)
  await mkdir(join(folder, 'run-1.checkpoint', 'full'), { recursive: true })
  const spent = { uploadMs: 0, initMs: 0, downloadMs: 0, totalMs: 0 }
  const sums = { assignMs: null, updateMs: null, convergeMs: null, iterateMs: null }
  const checkpoint = {
    ...{
      restart: 0,
      finished: [],
      best: null,
      initialCentroids: null,
      iterations: 0,
      ended: null,
      stopped: false,
    },
    ...{ known: null, rows: [], centroidHistory: [], engineSegments: [], spent: { ...spent, sums } },
  }
  const about = { runId: 'run-1', datasetId: 'data-1', sha256: null, config, engine: null, savedMs: 0 }
  expect(await spool.saveCheckpoint('run-1', { ...about, checkpoint })).toBe(false)
  expect(await spool.saveCheckpoint('run-2', { ...about, runId: 'run-2', checkpoint })).toBe(true)
  await spool.removeCheckpoint('run-1')
  expect([...(await spool.checkpoints()).keys()]).toEqual(['run-2'])
})

it('a run that ends by itself leaves nothing to go on with', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  faultyCard()
  const { end, run, store } = await host()
  await end(await run({ engine: 'cpu', variant: 'fused' }), 'done')
  expect(await store.broken.newest('data-1')).toBeNull()
})

it.each([
  ['cuda', [true, true], 'webgpu'],
  ['cuda', [false, true], 'cpu'],
  ['cuda', [true, false], 'cpu'],
  ['webgpu', [true, true], 'cpu'],
  ['cpu', [true, true], 'cpu'],
] as const)(
  'after %s, WebGPU there and of hardware: %o, comes %s',
  async (lost, [isThere, isHardware], next) => {
    const working = { availability: async () => ({ available: true }) as const, devices: async () => [] }
    const device = { id: 'gpu', name: 'Card', memoryBytes: null, software: !isHardware }
    const availability = async () =>
      isThere ? ({ available: true } as const) : ({ available: false, reason: 'none' } as const)
    const webgpu = { availability, devices: async () => [device] }
    expect(await nextEngine(lost, { cpu: working, cuda: working, webgpu })).toBe(next)
  },
)
