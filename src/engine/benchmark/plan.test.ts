import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
