import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import type { EventMessage } from '@engine/host/protocol'
import type { HostState } from '@shared/ipc'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { EngineProcess } from './engine-process'

const script = resolve('out/main/host.js')
const endless: RunConfig = { ...defaultRunConfig, stop: 'none', maxIterations: 1e9, engine: 'cpu' }

let folder: string
let engine: EngineProcess
const states: HostState[] = []
const events: EventMessage[] = []

beforeAll(async () => {
  if (!existsSync(script)) throw new Error('out/main/host.js is missing: run npm run setup first')
  folder = await mkdtemp(join(tmpdir(), 'centroid-host-'))
  engine = new EngineProcess({
    node: process.execPath,
    script,
    env: () => process.env,
    spool: join(folder, 'results'),
    benchmarks: join(folder, 'benchmarks'),
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
  })
})
afterAll(async () => {
  engine.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a run and answers its id. */
async function run(datasetId: string, config: RunConfig): Promise<string> {
  return (await engine.request('run.start', { datasetId, config })).runId
}

async function outcome(runId: string): Promise<string> {
  const ended = () =>
    events.find(
      ({ channel, payload }) =>
        channel === 'run.event' &&
        payload.runId === runId &&
        ['done', 'cancelled', 'failed'].includes(payload.kind),
    )
  await expect.poll(ended, { timeout: 20_000 }).toBeDefined()
  const event = ended()
  return event?.channel === 'run.event' ? event.payload.kind : 'none'
}

describe('the engine host as a process of its own', () => {
  it('loads, clusters and answers in binary', async () => {
    const { id, rows } = await engine.open(resolve('examples/iris.csv'), {})
    expect(rows).toBe(150)
    const { values, offset } = await engine.request('dataset.values', {
      datasetId: id,
      column: 0,
      start: 0,
      count: 3,
    })
    expect([...values].map((value) => value + offset)).toEqual(
      [5.1, 4.9, 4.7].map((x) => expect.closeTo(x, 5)),
    )
    const runId = await run(id, { ...defaultRunConfig, engine: 'cpu', init: 'first-k', stop: 'labels' })
    expect(await outcome(runId)).toBe('done')
    const { labels } = await engine.request('run.labels', { runId, start: 0, count: 150 })
    expect([0, 1, 2].map((cluster) => labels.filter((label) => label === cluster).length)).toEqual([
      39, 61, 50,
    ])
  })

  it('cancels within 200 ms', measuresTime, async () => {
    const { id } = await engine.open(resolve('examples/digits.csv'), {})
    const runId = await run(id, { ...endless, k: 10 })
    await new Promise((done) => setTimeout(done, 300))
    const began = performance.now()
    await engine.request('run.cancel', { runId })
    expect(await outcome(runId)).toBe('cancelled')
    // The poll of the outcome looks every 50 ms.
    expect(performance.now() - began).toBeLessThan(250)
  })

  it('refuses what it does not know in one sentence', async () => {
    const unknown = engine.request('dataset.values', { datasetId: 'nobody', column: 0, start: 0, count: 1 })
    await expect(unknown).rejects.toMatchObject({ code: 'dataset.unknown' })
  })

  it('closes every file when the page that had them is gone, one that is being opened too', async () => {
    const { id } = await engine.open(resolve('examples/wine.csv'), {})
    const opening = engine.open(resolve('examples/digits.csv'), {})
    await engine.closeAll()
    await expect(opening).rejects.toMatchObject({ kind: 'cancelled' })
    const first = engine.request('dataset.values', { datasetId: id, column: 0, start: 0, count: 1 })
    await expect(first).rejects.toMatchObject({ code: 'dataset.unknown' })
  })

  it('is started again after SIGKILL, with its file and results', async () => {
    const { id } = await engine.open(resolve('examples/wine.csv'), {})
    const kept = await run(id, { ...defaultRunConfig, engine: 'cpu' })
    expect(await outcome(kept)).toBe('done')
    const before = await engine.request('run.labels', { runId: kept, start: 0, count: 178 })
    await run(id, endless)
    const { pid } = await engine.request('host.ping', {})
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => states.at(-1)?.state, { timeout: 10_000 }).toBe('lost')
    await expect.poll(() => states.at(-1)?.state, { timeout: 10_000 }).toBe('ready')
    expect((await engine.request('host.ping', {})).pid).not.toBe(pid)
    expect(
      (await engine.request('dataset.values', { datasetId: id, column: 0, start: 0, count: 2 })).values,
    ).toHaveLength(2)
    expect(await engine.request('run.labels', { runId: kept, start: 0, count: 178 })).toEqual(before)
  })
})

describe('a host that cannot live', () => {
  async function failure(node: string, program: string): Promise<string> {
    const seen: HostState[] = []
    const onState = (state: HostState) => seen.push(state)
    const dead = new EngineProcess({
      node,
      script: program,
      env: () => process.env,
      spool: folder,
      benchmarks: null,
      onEvent: () => undefined,
      onState,
    })
    await expect.poll(() => seen.at(-1)?.state, { timeout: 15_000 }).toBe('failed')
    await expect(dead.request('host.ping', {})).rejects.toMatchObject({ kind: 'engine-lost' })
    dead.stop()
    const last = seen.at(-1)
    return last?.state === 'failed' ? last.error.message : ''
  }

  it('is given up after some deaths in a row', async () => {
    const program = join(folder, 'dies.mjs')
    await writeFile(program, 'process.exit(3)')
    expect(await failure(process.execPath, program)).toMatch(/several times in a row/)
  })

  it('lives again when it is asked for after it was given up', async () => {
    const program = join(folder, 'mended.mjs')
    await writeFile(program, 'process.exit(3)')
    const seen: HostState[] = []
    const mended = new EngineProcess({
      node: process.execPath,
      script: program,
      env: () => process.env,
      spool: join(folder, 'mended'),
      benchmarks: null,
      onEvent: () => undefined,
      onState: (state) => seen.push(state),
    })
    await expect.poll(() => seen.at(-1)?.state, { timeout: 15_000 }).toBe('failed')
    await writeFile(program, `await import(${JSON.stringify(pathToFileURL(script).href)})`)
    mended.startAgain()
    mended.startAgain()
    expect(seen.at(-1)).toMatchObject({
      state: 'lost',
      reason: expect.stringContaining('being started again'),
    })
    const { pid } = await mended.request('host.ping', {})
    await expect.poll(() => seen.at(-1)).toEqual({ state: 'ready', pid, files: 0 })
    mended.stop()
  })

  it('for want of its Node says so at once', async () => {
    expect(await failure(join(folder, 'no node'), script)).toMatch(/cannot be run: run npm run setup/)
  })
})

describe('a host that waits for the window', () => {
  it('starts when that is drawn, and never when the program ends before', async () => {
    const states: string[] = []
    let draw = (): void => undefined
    const after = new Promise<void>((resolve) => (draw = resolve))
    const options = {
      node: process.execPath,
      script,
      env: () => process.env,
      spool: join(folder, 'later'),
      benchmarks: null,
      after,
    }
    const onState = ({ state }: HostState) => states.push(state)
    const waiting = new EngineProcess({ ...options, onEvent: () => undefined, onState })
    const ended = new EngineProcess({
      ...options,
      onEvent: () => undefined,
      onState: () => states.push('ended'),
    })
    ended.stop()
    expect(states).toEqual([])
    draw()
    await expect(ended.request('engines.list', {})).rejects.toThrow('ended unexpectedly')
    await waiting.request('engines.list', {})
    expect(states).toEqual(['ready'])
    waiting.stop()
  })
})
