import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from '../dataset/dataset'
import { engines } from '../engines'
import { listEngines } from '../engines/list'
import type { RunObserver } from './types'
import { runKmeans } from './run-kmeans'

const never = new AbortController().signal
const silent: RunObserver = { phase: () => undefined, iterations: () => undefined }
const reports = await listEngines()
const offered = reports
  .filter(({ available }) => available)
  .flatMap(({ id, variants }) =>
    variants.filter(({ exact }) => exact).map((variant) => ({ engine: id, variant: variant.id })),
  )

for (const { id, reason, available } of reports) {
  if (!available) console.warn(`runs on ${id} are skipped: ${reason}`)
}

let folder = ''
let iris: Dataset

const open = (path: string) => openDataset(path, {}, () => undefined, never)
const run = (dataset: Dataset, config: Partial<RunConfig>, signal = never) =>
  runKmeans(dataset, { ...defaultRunConfig, ...config }, silent, signal)

async function csv(name: string, text: string): Promise<Dataset> {
  const path = join(folder, name)
  await writeFile(path, text)
  return open(path)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-lab-run-'))
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(folder, 'cache'))
  iris = await open(join(process.cwd(), 'examples', 'iris.csv'))
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

/** What must be the same whenever a run is repeated. */
function outcomeOf(record: RunRecord): string {
  const {
    id: _id,
    startedAt: _started,
    timings: _timings,
    machine: _machine,
    receipt: _receipt,
    ...rest
  } = record
  return JSON.stringify(rest, (key, value: unknown) => (key.endsWith('Ms') ? undefined : value))
}

/** Places of a record that hold a number JSON cannot. */
function notFinite(value: unknown, path = 'record'): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${path}.${key}`))
}

describe('iris from the first three rows until no label changes', () => {
  const config = { k: 3, init: 'first-k', stop: 'labels', history: true } as const

  it.each(offered)('$engine $variant: the known clustering', async ({ engine, variant }) => {
    const { record, labels, points } = await run(iris, { ...config, engine, variant })
    expect(record).toMatchObject({ engine, variant, n: 150, d: 4, k: 3, stopped: 'labels', converged: true })
    expect(record.inertia).toBeCloseTo(78.8557, 3)
    expect(record.clusters.map(({ size }) => size).sort()).toEqual([39, 50, 61])
    expect(labels).toHaveLength(points.n)
    expect(record.history).toHaveLength(record.iterations)
    expect(record.history.at(-1)).toMatchObject({ changed: 0 })
    expect(record.history.at(-1)?.inertia).toBeCloseTo(record.inertia, 3)
    expect(notFinite(record)).toEqual([])
  })

  it.each(offered.filter(({ engine }) => engine === 'cpu'))(
    '$engine $variant: a hundred runs give one result',
    async ({ engine, variant }) => {
      const outcomes = new Set<string>()
      for (let i = 0; i < 100; i++) {
        outcomes.add(outcomeOf((await run(iris, { ...config, engine, variant })).record))
      }
      expect(outcomes.size).toBe(1)
    },
  )

  it('has centroids that are the means of their members, in units of the file', async () => {
    const { record, labels, points } = await run(iris, config)
    const means = await points.memberMeans(labels, 3, new AbortController().signal)
    record.clusters.forEach(({ centroid }, c) => {
      centroid?.forEach((value, j) => expect(value).toBeCloseTo(means[c * 4 + j], 5))
    })
  })

  it('records the regime that carried it out, planned or named, and why', async () => {
    const cpu = { ...config, engine: 'cpu', variant: 'fused' } as const
    const { record } = await run(iris, cpu)
    expect(record).toMatchObject({
      regime: 'tiled',
      reason: 'Below 32 centroids, computing every distance takes least.',
    })
    const named = (await run(iris, { ...cpu, regime: 'ordered-boxes' })).record
    expect(named).toMatchObject({ regime: 'ordered-boxes', reason: 'It was asked for by name.' })
    expect(named.inertia).toBe(record.inertia)
    await expect(run(iris, { ...cpu, regime: 'projected-scores' })).rejects.toMatchObject({
      kind: 'input',
      message: expect.stringMatching(/projected-scores.*17 features or more/) as string,
    })
  })

  it('chooses engine and variant itself, and records which', async () => {
    const { record } = await run(iris, config)
    expect(record.config).toMatchObject({ engine: 'auto', variant: 'auto' })
    expect(offered).toContainEqual({ engine: record.engine, variant: record.variant })
  })
})

describe('configurations', () => {
  it.each(['none', 'standardise', 'min-max', 'robust', 'unit-length'] as const)(
    'scaling %s gives centroids within the range of the file',
    async (scaling) => {
      const { record } = await run(iris, { k: 4, scaling })
      for (const { centroid } of record.clusters) {
        centroid?.forEach((value, j) => {
          const { min, max } = iris.columns[record.features[j].index]
          expect(value).toBeGreaterThanOrEqual((min ?? 0) - 1e-6)
          expect(value).toBeLessThanOrEqual((max ?? 0) + 1e-6)
        })
      }
      expect(notFinite(record)).toEqual([])
    },
  )

  it.each(['first-k', 'random', 'k-means++', 'k-means||'] as const)(
    'initialisation %s is repeated by its seed',
    async (init) => {
      const once = await run(iris, { k: 5, init, seed: 3 })
      const again = await run(iris, { k: 5, init, seed: 3 })
      expect(again.initialCentroids).toEqual(once.initialCentroids)
      expect(outcomeOf(again.record)).toBe(outcomeOf(once.record))
    },
  )

  it('initialisation file begins where the file says', async () => {
    const path = join(folder, 'centres.csv')
    const { record } = await run(iris, { k: 3 })
    const names = record.features.map(({ name }) => name).join(',')
    const rows = record.clusters.map(({ centroid }) => centroid?.join(','))
    await writeFile(path, [names, ...rows, ''].join('\n'))
    const again = await run(iris, { k: 3, init: 'file', centroidsFile: path, stop: 'labels' })
    expect(again.record.iterations).toBeLessThan(10)
    await expect(run(iris, { k: 4, init: 'file', centroidsFile: path })).rejects.toMatchObject({
      code: 'init.file-k',
    })
    await expect(run(iris, { k: 4, init: 'file' })).rejects.toMatchObject({ code: 'init.no-file' })
  })

  it('restarts keep the best, and say what each came to', async () => {
    const { record } = await run(iris, { k: 8, init: 'random', nInit: 5, seed: 10, history: true })
    expect(record.restarts).toHaveLength(5)
    expect(record.inertia).toBe(Math.min(...record.restarts.map(({ inertia }) => inertia)))
    expect(record.seed).toBe(10 + record.bestRun)
    expect(new Set(record.history.map((row) => row.run)).size).toBe(5)
  })
})

describe('data that leave little to do', () => {
  it('one row, one cluster', async () => {
    const { record } = await run(await csv('one.csv', 'a,b\n3,4\n'), { k: 1, features: ['a', 'b'] })
    expect(record).toMatchObject({ n: 1, inertia: 0, converged: true })
    expect(record.clusters[0]).toMatchObject({ size: 1, centroid: [3, 4] })
  })

  it.each(['keep', 'farthest', 'drop'] as const)(
    'all points equal, k = 3, %s: a warning and no NaN',
    async (empty) => {
      const text = `a,b\n${'5,7\n'.repeat(20)}`
      const { record } = await run(await csv('equal.csv', text), { k: 3, features: ['a', 'b'], empty })
      expect(record.inertia).toBe(0)
      expect(record.warnings[0]).toContain('only 1 distinct point')
      expect(record.clusters.reduce((sum, { size }) => sum + size, 0)).toBe(20)
      expect(notFinite(record)).toEqual([])
    },
  )

  it('a column of 1 600 000 000 ± 5 keeps its digits', async () => {
    const values = [-5, -4, -5, 4, 5, 4].map((value) => 1_600_000_000 + value)
    const { record } = await run(await csv('far.csv', `t\n${values.join('\n')}\n`), { k: 2, features: ['t'] })
    const centres = record.clusters.map(({ centroid }) => (centroid?.[0] ?? 0) - 1_600_000_000)
    const [low, high] = centres.sort((a, b) => a - b)
    expect(low).toBeCloseTo(-14 / 3, 4)
    expect(high).toBeCloseTo(13 / 3, 4)
  })
})

describe('refusals', () => {
  it('a k larger than the number of rows names the file and the largest k', async () => {
    await expect(run(iris, { k: 151 })).rejects.toMatchObject({
      kind: 'input',
      message: 'k is 151 but iris.csv has only 150 usable rows: choose a k of at most 150.',
    })
  })

  it('an engine that is not there says why', async () => {
    await expect(run(iris, { engine: 'cuda' })).rejects.toMatchObject({ kind: 'engine-missing' })
  })

  it('a run cancelled before it began does nothing', async () => {
    const opened = Object.values(engines).map((engine) => vi.spyOn(engine, 'open'))
    await expect(run(iris, {}, AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' })
    for (const spy of opened) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })
})
