import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Comparisons } from '@engine/benchmark/comparisons'
import { Journal } from '@engine/benchmark/journal'
import { fakeEngine, suiteOf, dependencies } from '@engine/benchmark/testing/fakes'
import type { BenchmarkEvent } from '@shared/benchmark/requests'
import { defaultSpecOf } from '@shared/generator'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { hostHandlers } from '.'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'between-runs-'))
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

/** A host that measures, and whether a timed run is under way. */
function measuringHost() {
  const state = { isMeasuring: false, isRunning: false, isOver: false }
  const onAdvance = async <T>(done: T): Promise<T> => {
    state.isRunning = state.isMeasuring
    await delay(10)
    state.isRunning = false
    return done
  }
  const take = (event: BenchmarkEvent) => {
    if (event.kind === 'progress') state.isMeasuring = event.stage === 'measuring'
    if (event.kind === 'done') state.isOver = true
  }
  const comparisons = new Comparisons(new Journal(null), dependencies(fakeEngine({ a: { onAdvance } })), take)
  const handlers = hostHandlers(new HostStore(new Spool(null)), () => undefined, comparisons)
  return { state, comparisons, handlers }
}

it('loads, makes and shows data between the runs of a comparison, never beside one', async () => {
  const { state, comparisons, handlers } = measuringHost()
  const path = join(folder, 'a.csv')
  await writeFile(path, 'a,b\n1,2\n3,4\n')
  const made = join(folder, 'b.csv')
  const spec = { ...defaultSpecOf('blobs'), n: 30 }
  const asked: readonly (() => unknown)[] = [
    () => handlers['dataset.open']({ path, overrides: {} }),
    () => handlers['dataset.preview']({ path, overrides: {} }),
    () => handlers['generate.preview']({ spec, count: 10 }),
    () => handlers['generate.write']({ spec, format: 'csv', path: made, replace: true }),
  ]
  const during: boolean[] = []
  await comparisons.start(suiteOf(['a'], { repeats: 12 }))
  while (!state.isOver) {
    await delay(3)
    if (!state.isRunning) continue
    const answers = asked.map(async (ask) => {
      await ask()
      during.push(state.isRunning)
    })
    await Promise.all(answers)
  }
  expect(during.length).toBeGreaterThan(8)
  expect(during).not.toContain(true)
})
