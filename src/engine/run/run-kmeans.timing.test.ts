import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from '../dataset/dataset'
import { listEngines } from '../engines/list'
import type { RunObserver } from './types'
import { runKmeans } from './run-kmeans'

const never = new AbortController().signal
const offered = (await listEngines())
  .filter(({ available }) => available)
  .flatMap(({ id, variants }) => variants.map((variant) => ({ engine: id, variant: variant.id })))

let folder = ''
let dataset: Dataset

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-lab-run-'))
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(folder, 'cache'))
  const lines = Array.from({ length: 20_000 }, (_, i) => {
    return [Math.sin(i), Math.sin(i * 1.7), Math.cos(i * 2.3), Math.sin(i * i)].join(',')
  })
  const path = join(folder, 'long.csv')
  await writeFile(path, `a,b,c,d\n${lines.join('\n')}\n`)
  dataset = await openDataset(path, {}, () => undefined, never)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

it.each(offered)(
  'a long run on $engine $variant ends within 200 ms of a cancel',
  measuresTime,
  async ({ engine, variant }) => {
    const control = new AbortController()
    let aborted = 0
    const observer: RunObserver = {
      phase: (phase) => {
        if (phase !== 'iterating') return
        setTimeout(() => {
          aborted = performance.now()
          control.abort()
        }, 60)
      },
      iterations: () => undefined,
    }
    const config: RunConfig = {
      ...defaultRunConfig,
      k: 400,
      init: 'random',
      stop: 'none',
      maxIterations: 1_000_000_000,
      engine,
      variant,
    }
    await expect(runKmeans(dataset, config, observer, control.signal)).rejects.toMatchObject({
      kind: 'cancelled',
    })
    expect(performance.now() - aborted).toBeLessThan(200)
  },
)
