import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { runOf } from '@engine/export/testing/run-of'
import type { RunResult } from '@engine/run/types'
import { invalidArgument } from '@shared/errors'
import type { TrailAxis } from '@shared/ipc'
import { nearestCentroid } from '@shared/metrics/distance'
import type { RunConfig } from '@shared/run-config'
import type { FindProjection } from '../centroid-trail'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { runViewHandlers } from './run-views'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-views-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const noProjection: FindProjection = (id) => {
  throw invalidArgument('a projection', 'axes', id)
}
const x: TrailAxis = { kind: 'feature', feature: 0 }
const y: TrailAxis = { kind: 'feature', feature: 1 }

/** Three iterations of k-means from the first rows of a file, finished in a host. */
async function hostOf(text: string, config: Partial<RunConfig> = {}, change = (run: RunResult) => run) {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  const result = change(await runOf(path, { k: 2, ...config }))
  const store = new HostStore(new Spool(null))
  store.addDataset(result.dataset)
  store.runs.begin('run-1', result.dataset.id)
  await store.runs.finish('run-1', result)
  return { result, store, handlers: runViewHandlers(store, noProjection) }
}

// The second cluster begins at (1, 0) and takes the far points with it; row 4 has no value of b.
const twoGroups = 'a,b,name\n0,0,p\n1,0,q\n9,9,r\n8,9,s\n7,,t\n'

describe('labels of an iteration', () => {
  it('are those it assigned, against the centroids before it, by row', async () => {
    const { handlers } = await hostOf(twoGroups)
    const ask = async (iteration: number) =>
      [
        ...(await handlers['run.iteration-labels']({ runId: 'run-1', iteration, start: 0, count: 99 }))
          .labels,
      ] as const
    // First: nearest to rows 0 and 1. Then: nearest to (0, 0) and (6, 6).
    expect(await ask(1)).toEqual([0, 1, 1, 1, -1])
    expect(await ask(2)).toEqual([0, 0, 1, 1, -1])
  })

  it('come in chunks that join to the whole', async () => {
    const { handlers } = await hostOf(twoGroups)
    const ask = (start: number, count: number) =>
      handlers['run.iteration-labels']({ runId: 'run-1', iteration: 1, start, count })
    const [first, second] = [await ask(0, 3), await ask(3, 3)]
    expect([...first.labels, ...second.labels]).toEqual([0, 1, 1, 1, -1])
  })

  it('refuses an iteration that was not kept, and a run nobody knows', async () => {
    const { handlers } = await hostOf(twoGroups)
    const ask = (runId: string, iteration: number) =>
      handlers['run.iteration-labels']({ runId, iteration, start: 0, count: 5 })
    await expect(ask('run-1', 4)).rejects.toMatchObject({ code: 'run.iteration' })
    await expect(ask('run-2', 1)).rejects.toMatchObject({ code: 'run.unknown' })
  })

  it('of an old wish give way to newer ones, and are computed anew when asked for again', async () => {
    const { handlers, result, ask } = await slowHost()
    const [oldest, ...newer] = await Promise.allSettled([1, 2, 3, 4].map(ask))
    expect(oldest).toMatchObject({ status: 'rejected', reason: { kind: 'cancelled' } })
    expect(newer.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'))
    const again = (
      await handlers['run.iteration-labels']({ runId: 'run-1', iteration: 1, start: 0, count: 1000 })
    ).labels
    const { points, initialCentroids } = result
    const expected = Array.from(again, (_, row) => nearestCentroid(points.x, row, initialCentroids, 100, 2))
    expect([...again]).toEqual(expected)
  })

  it('are all answered when the time line and the Steps view ask at once', async () => {
    const { ask } = await slowHost()
    const answers = await Promise.allSettled([1, 2, 1, 3].map(ask))
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
  })

  it('stop when the run is forgotten', async () => {
    const { ask, store } = await slowHost()
    const asked = Promise.allSettled([ask(1)])
    await new Promise((resolve) => setImmediate(resolve))
    await store.runs.forget('run-1')
    expect((await asked)[0]).toMatchObject({ status: 'rejected', reason: { kind: 'cancelled' } })
  })

  it('are computed once for all chunks, fast enough to drag through', measuresTime, async () => {
    const { handlers } = await hostOf(manyRows(100_000), { k: 8 })
    const ask = async (iteration: number) => {
      const began = performance.now()
      await handlers['run.iteration-labels']({ runId: 'run-1', iteration, start: 0, count: 1000 })
      return performance.now() - began
    }
    // About 8 ms each on a timingLock machine; the same again costs next to nothing.
    const computed = Math.min(await ask(1), await ask(2), await ask(3))
    const kept = Math.min(await ask(1), await ask(2), await ask(3))
    expect(computed).toBeLessThan(20)
    expect(kept).toBeLessThan(2)
  })
})

describe('two results', () => {
  it('are compared by their ids, as long as both are kept', async () => {
    const { handlers, store, result } = await hostOf(twoGroups)
    store.runs.begin('run-2', result.dataset.id)
    await store.runs.finish('run-2', result)
    const ask = () => handlers['run.compare']({ a: 'run-1', b: 'run-2' })
    expect(await ask()).toMatchObject({ rows: 4, agreement: 1, adjustedRand: 1 })
    await store.runs.forget('run-2')
    await expect(ask()).rejects.toMatchObject({ code: 'run.unknown' })
  })
})

describe('the trail of the centroids', () => {
  it('begins at the initial ones, in units of the file', async () => {
    const { handlers, result } = await hostOf(twoGroups, { scaling: 'standardise' })
    const answer = await handlers['run.trail']({ runId: 'run-1', start: 0, count: 9, axes: [x, y] })
    expect(answer.kept).toBe(4)
    expect(answer.values).toHaveLength(4 * 2 * 2)
    expect(rounded(answer.values.subarray(0, 8))).toEqual([0, 0, 1, 0, 0, 0, 6, 6])
    const last = result.record.clusters.flatMap(({ centroid }) => centroid ?? [])
    expect(rounded(answer.values.subarray(12))).toEqual(rounded(last))
  })

  it('answers a part, another order of axes, and nothing past its end', async () => {
    const { handlers } = await hostOf(twoGroups)
    const ask = (start: number, axes: readonly TrailAxis[]) =>
      handlers['run.trail']({ runId: 'run-1', start, count: 1, axes })
    expect(rounded((await ask(1, [y])).values)).toEqual([0, 6])
    expect((await ask(4, [x, y])).values).toHaveLength(0)
    await expect(ask(0, [{ kind: 'feature', feature: 2 }])).rejects.toMatchObject({ code: 'argument' })
  })

  it('has no place for a dropped cluster', async () => {
    const drop = (run: RunResult) => ({ ...run, initialCentroids: run.initialCentroids.fill(NaN, 2, 4) })
    const { handlers } = await hostOf(twoGroups, {}, drop)
    const { values } = await handlers['run.trail']({ runId: 'run-1', start: 0, count: 1, axes: [x, y] })
    expect(rounded(values)).toEqual([0, 0, NaN, NaN])
  })

  it('shows means of members where the scaling cannot be undone', async () => {
    const { handlers } = await hostOf('a,b\n1,0\n0,1\n4,0\n0,8\n', { scaling: 'unit-length' })
    const { values } = await handlers['run.trail']({ runId: 'run-1', start: 0, count: 2, axes: [x, y] })
    expect(rounded(values)).toEqual([2.5, 0, 0, 4.5, 2.5, 0, 0, 4.5])
  })

  it('ends with the initial ones when no history was kept', async () => {
    const { handlers } = await hostOf(twoGroups, {}, (run) => ({ ...run, centroidHistory: [] }))
    const answer = await handlers['run.trail']({ runId: 'run-1', start: 0, count: 9, axes: [x] })
    expect([answer.kept, answer.values.length]).toEqual([1, 2])
  })

  it('takes principal components from their projection', async () => {
    const { store } = await hostOf(twoGroups)
    const handlers = runViewHandlers(store, () => ({
      scoresOfCentroids: (_centroids, k) => Float64Array.from({ length: 3 * k }, (_, i) => i),
    }))
    const component: TrailAxis = { kind: 'component', projectionId: 'p', component: 2 }
    const ask = (axis: TrailAxis) =>
      handlers['run.trail']({ runId: 'run-1', start: 0, count: 1, axes: [axis, x] })
    expect(rounded((await ask(component)).values)).toEqual([2, 0, 5, 1])
    await expect(ask({ ...component, component: 3 })).rejects.toMatchObject({ code: 'argument' })
  })
})

/** A run whose labels take several slices to compute. */
async function slowHost() {
  // A fourth iteration, so that four can be asked for: the third once more.
  const longer = (run: RunResult): RunResult => ({
    ...run,
    centroidHistory: [...run.centroidHistory, run.centroids],
    record: {
      ...run.record,
      iterations: 4,
      history: [...run.record.history, { ...run.record.history[2], iteration: 4 }],
    },
  })
  const { handlers, store, result } = await hostOf(manyRows(6_000), { k: 100 }, longer)
  const many = await store.runs.result('run-1')
  // The same rows over and over: a file of millions would take long to read.
  const { points } = many
  const times = 100
  const x = new Float32Array(points.x.length * times)
  for (let copy = 0; copy < times; copy++) x.set(points.x, copy * points.x.length)
  Object.assign(points, { x, n: points.n * times })
  const ask = (iteration: number) =>
    handlers['run.iteration-labels']({ runId: 'run-1', iteration, start: 0, count: 1000 })
  return { handlers, store, result, ask }
}

function manyRows(n: number): string {
  const lines = Array.from({ length: n }, (_, i) => `${(i * 7919) % 10007},${(i * 104729) % 10009}`)
  return `a,b\n${lines.join('\n')}\n`
}

const rounded = (values: Iterable<number>) => Array.from(values, (value) => Math.round(value * 1e5) / 1e5 + 0)
