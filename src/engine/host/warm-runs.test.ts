import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import type { RunResult } from '@engine/run/types'
import { resultJson } from '@shared/result-json'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { WarmRuns } from './warm-runs'

const { signal } = new AbortController()
const quiet = { phase: () => undefined, iterations: () => undefined }

it('a record says what its run took over, and the result is the same without', async () => {
  const dataset = await openDataset(resolve('examples/iris.csv'), {}, () => undefined, signal)
  const kept: RunResult[] = []
  const warm = new WarmRuns({ pointsAlike: () => kept.at(-1)?.points ?? null })
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
