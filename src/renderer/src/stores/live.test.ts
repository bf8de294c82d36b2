import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { record, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useAppStore } from './app'
import { useConfigStore } from './config'
import { useDatasetStore } from './dataset'
import { useLiveStore } from './live'
import { useLooksStore } from './looks'
import { useRunStore } from './run'
import { useTimelineStore } from './timeline'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const timings = { ...record().timings, totalMs: 20 }

/** A window with a result of k = 3, in which live runs end when the test says so. */
async function withResult(change: Partial<RunRecord> = {}) {
  const started: { readonly runId: string; readonly config: RunConfig; readonly live: boolean }[] = []
  const labelsOf = (runId: string) =>
    runId === 'run-1' ? (row: number) => row % 3 : (row: number) => (row + 1) % 3
  const { lab } = freshWindow({
    'run.start': ({ config, live = false }) => {
      const runId = `live-${started.length + 1}`
      started.push({ runId, config, live })
      return { runId }
    },
    'run.labels-bytes': ({ runId, start, count }) => ({
      labels: Uint8Array.from({ length: count }, (_, i) => labelsOf(runId)(start + i)),
    }),
  })
  const [config, dataset, live, run] = [useConfigStore(), useDatasetStore(), useLiveStore(), useRunStore()]
  useAppStore().hostState = { state: 'ready', pid: 1 }
  dataset.summary = summary()
  config.adopt(summary())
  run.adopt('data-1')
  const first = { record: record({ timings, ...change }), datasetId: 'data-1', asked: config.config }
  run.results = [first]
  run.result = first
  useTimelineStore().labels = Int32Array.from({ length: 150 }, (_, row) => row % 3)
  run.subscribe()
  live.subscribe()
  const setK = (k: number) => {
    const before = config.config
    config.draft.k = String(k)
    live.follow(config.config, before)
    return flushPromises()
  }
  const end = async (runId: string, k: number, restarts = 1) => {
    const { config: carried } = started.find((one) => one.runId === runId) ?? { config: config.config }
    const all = Array.from({ length: restarts }, (_, i) => ({ ...record().restarts[0]!, run: i }))
    const done = record({ id: runId, k, config: carried, restarts: all, timings })
    lab.emit('run.event', { kind: 'done', runId, record: done })
    await flushPromises()
  }
  return { lab, started, config, live, run, setK, end }
}

describe('a setting that is changed', () => {
  it('is followed at once by one restart, the newest change first', async () => {
    const { started, run, setK, end } = await withResult()
    await setK(4)
    await setK(5)
    await setK(6)
    expect(started.map(({ config }) => config.k)).toEqual([4])
    await end('live-1', 4)
    expect(started.map(({ config, live }) => [config.k, config.nInit, live])).toEqual([
      [4, 1, true],
      [6, 1, true],
    ])
    await end('live-2', 6)
    expect(run.result?.record.id).toBe('live-2')
    expect(run.busy).toBe(false)
  })

  it('is followed by the other restarts when it rests, and leaves one result', async () => {
    const { lab, started, run, setK, end } = await withResult()
    await setK(4)
    await end('live-1', 4)
    await setK(5)
    await end('live-2', 5)
    await vi.advanceTimersByTimeAsync(400)
    expect(started.at(-1)?.config).toMatchObject({ k: 5, nInit: 10 })
    await end('live-3', 5, 10)
    expect(run.results.map((one) => one.record.id)).toEqual(['live-3', 'run-1'])
    const forgotten = lab.asked.filter(({ channel }) => channel === 'run.forget').map(({ params }) => params)
    expect(forgotten).toEqual([{ runId: 'live-1' }, { runId: 'live-2' }])
    expect(useAppStore().message).toBe('Live: best of 10 restarts')
    // What rested stays when another change follows.
    await setK(6)
    await end('live-4', 6)
    expect(run.results.map((one) => one.record.id)).toEqual(['live-4', 'live-3', 'run-1'])
  })

  it('keeps the colours and names of the clusters that overlap', async () => {
    const { setK, end } = await withResult()
    const looks = useLooksStore()
    looks.change('run-1', 0, { name: 'setosa' })
    const before = looks.palette
    await setK(4)
    await end('live-1', 4)
    // Cluster 0 of before is cluster 1 of now.
    expect(looks.palette.css(1)).toBe(before.css(0))
    expect(looks.palette.shape(1)).toBe(before.shape(0))
    expect(looks.palette.name(1)).toBe('setosa')
    const colours = [0, 1, 2, 3].map((cluster) => looks.palette.css(cluster))
    expect(new Set(colours).size).toBe(4)
  })

  it('waits for Run where a run takes long, and says so', async () => {
    const { started, live, setK } = await withResult({ timings: { ...timings, totalMs: 2300 } })
    expect(live.sentence).toBe('A run takes about 2.30 s: press Run after a change.')
    await setK(4)
    expect(started).toEqual([])
  })

  it('waits for Run where it is no matter of k, features, scaling or rows', async () => {
    const { started, config, live } = await withResult()
    const before = config.config
    config.draft.seed = '9'
    live.follow(config.config, before)
    await flushPromises()
    expect(started).toEqual([])
  })

  it('lets nothing behind when a run is refused', async () => {
    const { lab, run, live, setK } = await withResult()
    await setK(4)
    lab.emit('run.event', { kind: 'cancelled', runId: 'live-1' })
    await flushPromises()
    expect(live.working).toBe(false)
    expect(run.result?.record.id).toBe('run-1')
  })
})
