import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Suite } from '@shared/benchmark/suite'
import { measuresTime } from '@shared/testing/measures-time'
import { defaultGeneratorSpec } from '@shared/generator'
import type { OutsideRunner } from './outside/outside'
import { planSuite } from './plan'
import { fakeEngine, suiteOf, dependencies } from './testing/fakes'

const signal = new AbortController().signal
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-lab-plan-'))
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('counts what is compiled once, and what every session takes for each', measuresTime, async () => {
  let opened = 0
  const engine = fakeEngine({ slow: { onOpen: () => wait(opened++ === 0 ? 800 : 10) } })
  const { predictedMs } = await planSuite(suiteOf(['slow']), dependencies(engine), signal)
  // Two steps, a warm-up and three runs: 10 ms each.
  expect(predictedMs).toBeGreaterThan(800)
  expect(predictedMs).toBeLessThan(2 * (800 + 6 * 10))
})

/** A system whose process takes 20 ms to start and that needs a time for each product. */
function systemOf(perProductMs: number) {
  const prepare = vi.fn<OutsideRunner['prepare']>(async (_system, { points, k, config }) => {
    await wait(20)
    const { n, d } = points
    const iterations = config.maxIterations
    const totalMs = (iterations + 1) * n * d * k * perProductMs
    const result = { labels: new Int32Array(n), centroids: new Float64Array(k * d), iterations, totalMs }
    return { run: async () => result, close: async () => undefined }
  })
  const report = { system: 'numpy', available: true, version: '2.0.0', reason: null } as const
  return { reports: async () => [report], prepare }
}

it('foretells baselines outside from a small problem that is measured once', measuresTime, async () => {
  const perProductMs = 1e-4
  const outside = systemOf(perProductMs)
  const spec = { ...defaultGeneratorSpec, n: 30_000, d: 2 }
  const suite = suiteOf([], {
    cases: [{ dataset: { kind: 'generated', spec, name: 'uniform' }, k: [4] }],
    contenders: [{ kind: 'outside', system: 'numpy' }],
    baseline: 'outside/numpy',
  })
  const around = { ...dependencies(fakeEngine({})), outside }
  const { predictedMs } = await planSuite(suite, around, signal)
  // A warm-up and three runs of three iterations and the labels at their end.
  const truth = 4 * 4 * 30_000 * 2 * 4 * perProductMs
  expect(predictedMs).toBeGreaterThan(truth)
  expect(predictedMs).toBeLessThan(2 * truth)
  const asked = outside.prepare.mock.calls.length
  expect(await planSuite(suite, around, signal)).toMatchObject({ predictedMs })
  expect(outside.prepare).toHaveBeenCalledTimes(asked)
})

it('skips baselines outside that know another policy for empty clusters', async () => {
  const outside = systemOf(1e-6)
  const kept = suiteOf([], { contenders: [{ kind: 'outside', system: 'numpy' }], baseline: 'outside/numpy' })
  const around = { ...dependencies(fakeEngine({})), outside }
  const skippedWith = async (empty: 'keep' | 'drop') => {
    const { cells } = await planSuite({ ...kept, config: { ...kept.config, empty } }, around, signal)
    return cells[0].skipped
  }
  expect(await skippedWith('keep')).toBeNull()
  expect(await skippedWith('drop')).toBe(
    'numpy cannot drop an empty cluster: choose keep for empty clusters, or leave it out.',
  )
})

describe('a limit of each cell', () => {
  /** 10 s for an iteration of the 30 000 points. */
  const perProductMs = 10_000 / (30_000 * 2 * 4)
  const spec = { ...defaultGeneratorSpec, n: 30_000, d: 2 }
  const suite = suiteOf([], {
    cases: [{ dataset: { kind: 'generated', spec, name: 'uniform' }, k: [4] }],
    contenders: [{ kind: 'outside', system: 'numpy' }],
    baseline: 'outside/numpy',
  })
  const around = { ...dependencies(fakeEngine({})), outside: systemOf(perProductMs) }
  const planned = async (maxCellSeconds: number, config: Partial<Suite['config']> = {}) => {
    const asked = { ...suite, maxCellSeconds, config: { ...suite.config, maxIterations: 50, ...config } }
    return (await planSuite(asked, around, signal)).cells[0]
  }

  it('leaves runs out, then iterations of a fixed number, and plans what is left', async () => {
    // A run of 50 iterations takes 510 s, and two steps 40 s.
    expect((await planned(3000)).shortened).toBeUndefined()
    expect((await planned(1200)).shortened).toEqual({ iterations: 50, warmup: 0, repeats: 2 })
    const cut = await planned(200)
    expect(cut.shortened).toMatchObject({ warmup: 0, repeats: 1 })
    expect(cut.shortened?.iterations).toBeGreaterThan(10)
    expect(cut.shortened?.iterations).toBeLessThan(16)
    expect(cut.predictedMs).toBeLessThanOrEqual(200_000)
  })

  it('says in the cell that it is not run, how long it would be, and where', async () => {
    expect((await planned(60)).skipped).toMatch(
      /^Not run: 3\d min predicted with numpy; one run of 3 iterations/,
    )
    // A run to convergence is not cut short.
    expect((await planned(200, { stop: 'labels' })).skipped).toMatch(/^Not run: .*; one run alone would take/)
  })
})
