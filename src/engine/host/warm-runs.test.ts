import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import type { RunResult } from '@engine/run/types'
import { resultJson } from '@shared/result-json'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { WarmRuns } from './warm-runs'

const { signal } = new AbortController()
const quiet = { phase: () => undefined, iterations: () => undefined }

it('a record says what its run took over, and the result is the same without', async () => {
  const dataset = await openDataset(resolve('examples/iris.csv'), {}, () => undefined, signal)
  const kept: RunResult[] = []
  const warm = new WarmRuns({ pointsAlike: () => kept.at(-1)?.points ?? null, held: () => null })
  const config = (k: number): RunConfig => ({ ...defaultRunConfig, engine: 'cpu', variant: 'fused', k })
  const live = async (k: number) => {
    const result = await runKmeans(
      dataset,
      config(k),
      quiet,
      signal,
      undefined,
      warm.start(dataset, config(k)),
    )
    kept.push(result)
    return result.record
  }
  expect((await live(6)).reused).toBeUndefined()
  // Six clusters have as many candidates as five, and not as many as nine.
  const five = await live(5)
  expect(five.reused).toEqual(['points', 'seeding'])
  expect(resultJson(five)).toMatchObject({ reused: ['points', 'seeding'] })
  expect((await live(9)).reused).toEqual(['points'])
  const anew = await runKmeans(dataset, config(5), quiet, signal)
  expect(anew.record.reused).toBeUndefined()
  expect(anew.record.resultSha256).toBe(five.resultSha256)
})

it('other points begin from the clusters on screen, and the record says so', async () => {
  const dataset = await openDataset(resolve('examples/iris.csv'), {}, () => undefined, signal)
  const base: RunConfig = { ...defaultRunConfig, engine: 'cpu', variant: 'fused', k: 3 }
  const before = await runKmeans(
    dataset,
    { ...base, features: dataset.columns.slice(0, 3).map(({ name }) => name) },
    quiet,
    signal,
  )
  const warm = new WarmRuns({ pointsAlike: () => null, held: () => before })
  const live = (change: Partial<RunConfig>, after?: string) => {
    const config = { ...base, ...change }
    return runKmeans(dataset, config, quiet, signal, undefined, warm.start(dataset, config, after))
  }
  const filter = parseFilter('sepal_length > 5')
  for (const change of [{}, { scaling: 'standardise' }, { scaling: 'unit-length' }, { filter }] as const) {
    const result = await live(change, 'before')
    expect(result.record.reused).toEqual(['clusters'])
    const { initialCentroids, points } = result
    const sums = new Float64Array(3 * 4)
    const counts = new Float64Array(3)
    for (let point = 0; point < points.n; point++) {
      const label = before.labels[points.rows?.[point] ?? point]
      counts[label]++
      for (let j = 0; j < 4; j++) sums[label * 4 + j] += points.x[point * 4 + j]
    }
    // Of a filter the rows are others, and the centroids of all of them are near enough.
    const digits = 'filter' in change ? 0 : 5
    initialCentroids.forEach((value, at) =>
      expect(value).toBeCloseTo(sums[at] / counts[Math.floor(at / 4)], digits),
    )
  }
  expect((await live({}, undefined)).record.reused).toBeUndefined()
  expect((await live({ k: 4 }, 'before')).record.reused).toBeUndefined()
  expect((await live({ init: 'first-k' }, 'before')).record.reused).toBeUndefined()
})
