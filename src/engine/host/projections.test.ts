import { getEventListeners } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import { LabError } from '@shared/errors'
import { defaultRunConfig } from '@shared/run-config'
import { hostHandlers } from './handlers'
import { Projections } from './projections'
import { Spool } from './spool'
import { HostStore } from './store'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'projections-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const never = new AbortController().signal

async function hostWith(path: string) {
  const dataset = await openDataset(path, {}, () => undefined, never)
  const store = new HostStore(new Spool(null))
  store.addDataset(dataset)
  return { dataset, store, handlers: hostHandlers(store, () => undefined) }
}

async function hostOf(lines: readonly string[]) {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, lines.join('\n'))
  return hostWith(path)
}

const source = (datasetId: string, change = {}) =>
  ({ datasetId, features: null, missing: 'drop', scaling: 'none', ...change }) as const

/** A repeatable number in -1..1. */
const noise = (i: number): number => {
  const value = Math.sin(i * 12.9898) * 43758.5453
  return 2 * (value - Math.floor(value)) - 1
}

/** Variance along a direction by the textbook, in float64. */
function varianceAlong(rows: readonly (readonly number[])[], direction: readonly number[]): number {
  const d = direction.length
  const mean = Array.from({ length: d }, (_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length)
  const scores = rows.map((row) => row.reduce((sum, value, j) => sum + direction[j] * (value - mean[j]), 0))
  return scores.reduce((sum, score) => sum + score * score, 0) / rows.length
}

describe('principal components', () => {
  it('of iris are those of the literature', async () => {
    const { dataset, handlers } = await hostWith(resolve('examples/iris.csv'))
    const { explained, n, d, map } = await handlers['projection.fit'](source(dataset.id))
    expect([n, d]).toEqual([150, 4])
    // Fisher's data: 92.46, 5.31, 1.71 and .52 %.
    expect(explained.map((share) => Number((100 * share).toFixed(2)))).toEqual([92.46, 5.31, 1.71, 0.52])
    expect(map?.weights.slice(0, 4).map((weight) => Number(weight.toFixed(4)))).toEqual([
      0.3614, -0.0845, 0.8567, 0.3583,
    ])
  })

  it('are orthonormal, and no direction has more variance than the first', async () => {
    const rows = Array.from({ length: 400 }, (_, i) =>
      Array.from({ length: 12 }, (_, j) => 1e9 * (j % 2) + noise(i * 31 + j) * (j + 1) + noise(i) * 3),
    )
    const names = rows[0].map((_, j) => `c${j}`).join(',')
    const { dataset, handlers } = await hostOf([names, ...rows.map((row) => row.join(','))])
    const { map, explained } = await handlers['projection.fit'](source(dataset.id))
    if (!map) throw new Error('there is a map')
    const directions = explained.map((_, c) => map.weights.slice(c * 12, (c + 1) * 12))
    for (const [a, one] of directions.entries())
      for (const [b, other] of directions.entries())
        expect(one.reduce((sum, value, j) => sum + value * other[j], 0)).toBeCloseTo(a === b ? 1 : 0, 6)
    const total = rows[0].reduce(
      (sum, _, j) =>
        sum +
        varianceAlong(
          rows,
          rows[0].map((_, i) => Number(i === j)),
        ),
      0,
    )
    for (const [c, direction] of directions.entries())
      expect(varianceAlong(rows, direction) / total).toBeCloseTo(explained[c], 5)
    for (let trial = 0; trial < 50; trial++) {
      const raw = Array.from({ length: 12 }, (_, j) => noise(trial * 12 + j))
      const length = Math.hypot(...raw)
      const other = varianceAlong(
        rows,
        raw.map((value) => value / length),
      )
      expect(other).toBeLessThanOrEqual(varianceAlong(rows, directions[0]) * (1 + 1e-6))
    }
  })

  it('of 300 features find the direction that the data were made along', async () => {
    const direction = Array.from({ length: 300 }, (_, j) => noise(j + 7))
    const length = Math.hypot(...direction)
    const rows = Array.from({ length: 500 }, (_, i) =>
      direction.map((value, j) => (40 * noise(i) * value) / length + 0.01 * noise(i * 300 + j)),
    )
    const names = direction.map((_, j) => `c${j}`).join(',')
    const { dataset, handlers } = await hostOf([names, ...rows.map((row) => row.join(','))])
    const { map, explained } = await handlers['projection.fit'](source(dataset.id))
    const found = map?.weights.slice(0, 300) ?? []
    const along = found.reduce((sum, weight, j) => sum + (weight * direction[j]) / length, 0)
    expect(Math.abs(along)).toBeCloseTo(1, 5)
    expect(explained[0]).toBeGreaterThan(0.99)
    expect(explained).toHaveLength(10)
  })

  it('score every row as the map does, and give rows without a point NaN', async () => {
    const { dataset, handlers } = await hostOf(['a,b', '1,2', '3,', '5,7', '2,1', '8,8'])
    const { id, map, ranges } = await handlers['projection.fit'](
      source(dataset.id, { scaling: 'standardise' }),
    )
    const { values } = await handlers['projection.values']({
      projectionId: id,
      component: 0,
      start: 0,
      count: 5,
    })
    expect(values[1]).toBeNaN()
    const row = [5, 7]
    const byMap = row.reduce(
      (sum, value, j) => sum + (map?.weights[j] ?? 0) * (value - (map?.offset[j] ?? 0)),
      0,
    )
    expect(values[2]).toBeCloseTo(byMap, 5)
    const known = [...values].filter((value) => !Number.isNaN(value))
    expect(ranges[0]).toEqual({ min: Math.min(...known), max: Math.max(...known) })
  })

  it.each([
    ['constant columns', ['a,b', '1,5', '1,5', '1,5']],
    ['one row', ['a,b', '1,2']],
    ['duplicates of one row and another', ['a,b', '1,2', '1,2', '4,2']],
  ])('of %s are finite', async (_what, lines) => {
    const { dataset, handlers } = await hostOf(lines)
    const { id, explained, n } = await handlers['projection.fit'](
      source(dataset.id, { features: ['a', 'b'] }),
    )
    expect(explained.every((share) => share >= 0 && share <= 1)).toBe(true)
    const { values } = await handlers['projection.values']({
      projectionId: id,
      component: 0,
      start: 0,
      count: n,
    })
    expect([...values].every(Number.isFinite)).toBe(true)
  })

  it('of unit-length rows have no map, and place centroids all the same', async () => {
    const { dataset, store, handlers } = await hostWith(resolve('examples/iris.csv'))
    const config = {
      ...defaultRunConfig,
      scaling: 'unit-length',
      engine: 'cpu',
      history: true,
      centroidHistory: true,
    } as const
    const result = await runKmeans(
      dataset,
      config,
      { phase: () => undefined, iterations: () => undefined },
      never,
    )
    store.runs.begin('run-1', dataset.id)
    await store.runs.finish('run-1', result)
    const { id, map } = await handlers['projection.fit'](source(dataset.id, { scaling: 'unit-length' }))
    expect(map).toBeNull()
    const axes = [0, 1].map((component) => ({ kind: 'component', projectionId: id, component }) as const)
    const iterations = result.record.iterations
    const { values } = await handlers['run.trail']({ runId: 'run-1', start: iterations, count: 1, axes })
    const scores = await handlers['projection.values']({
      projectionId: id,
      component: 0,
      start: 0,
      count: 150,
    })
    const members = [...scores.values].filter((_, row) => result.labels[row] === 0)
    expect(values[0]).toBeCloseTo(members.reduce((sum, score) => sum + score, 0) / members.length, 4)
  })

  it('are refused for a run on other points, and gone with their dataset', async () => {
    const { dataset, store, handlers } = await hostWith(resolve('examples/iris.csv'))
    const result = await runKmeans(
      dataset,
      { ...defaultRunConfig, engine: 'cpu', history: true, centroidHistory: true },
      { phase: () => undefined, iterations: () => undefined },
      never,
    )
    store.runs.begin('run-1', dataset.id)
    await store.runs.finish('run-1', result)
    const { id } = await handlers['projection.fit'](source(dataset.id, { scaling: 'standardise' }))
    const axes = [{ kind: 'component', projectionId: id, component: 0 } as const]
    await expect(handlers['run.trail']({ runId: 'run-1', start: 0, count: 1, axes })).rejects.toMatchObject({
      code: 'projection.other',
    })
    await handlers['dataset.close']({ datasetId: dataset.id })
    const ask = async () =>
      handlers['projection.values']({ projectionId: id, component: 0, start: 0, count: 1 })
    await expect(ask()).rejects.toThrow(LabError)
  })

  it('take no more memory than they may: fewer components of many points, and the older go', async () => {
    const { dataset, store } = await hostWith(resolve('examples/digits.csv'))
    const bytes = dataset.rows * Float32Array.BYTES_PER_ELEMENT
    const five = new Projections(store, 5 * bytes)
    const first = await five.fit(source(dataset.id))
    expect([first.explained.length, first.ranges.length]).toEqual([5, 5])
    const second = await five.fit(source(dataset.id, { scaling: 'standardise' }))
    expect(() => five.get(first.id)).toThrow(LabError)
    expect(five.get(second.id).components).toBe(5)
    expect((await new Projections(store, 0).fit(source(dataset.id))).explained).toHaveLength(3)
  })

  it('share the points of a run on the same ones, and leave nothing behind when they are closed', async () => {
    const { dataset, store } = await hostWith(resolve('examples/iris.csv'))
    const config = { ...defaultRunConfig, engine: 'cpu', scaling: 'none', missing: 'drop' } as const
    const observer = { phase: () => undefined, iterations: () => undefined }
    const result = await runKmeans(dataset, config, observer, never)
    // Points of which nothing varies: who made them anew from the file would see that.
    const points = { ...result.points, x: new Float32Array(result.points.x.length) }
    store.runs.begin('run-1', dataset.id)
    await store.runs.finish('run-1', { ...result, points })
    const projections = new Projections(store)
    const { id, explained } = await projections.fit(source(dataset.id))
    expect(explained).toEqual([0, 0, 0, 0])
    const listeners = () => getEventListeners(store.untilClosed(dataset.id), 'abort').length
    expect(listeners()).toBe(1)
    projections.close(id)
    expect(listeners()).toBe(0)
  })

  it('are the same twice', async () => {
    const { dataset, handlers } = await hostWith(resolve('examples/digits.csv'))
    const [first, second] = [
      await handlers['projection.fit'](source(dataset.id)),
      await handlers['projection.fit'](source(dataset.id)),
    ]
    expect({ ...second, id: '' }).toEqual({ ...first, id: '' })
  })
})
