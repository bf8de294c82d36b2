import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import type { HostEvents } from '@shared/ipc'
import { defaultRunConfig } from '@shared/run-config'
import { defaultScanIndices, type ScanConfig, type ScanEvent } from '@shared/scan'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { labelsByRow } from '../labels-by-row'
import { qualityHandlers } from './quality'
import { scanHandlers } from './scans'

const config: ScanConfig = {
  run: { ...defaultRunConfig, engine: 'cpu', variant: 'fused', stop: 'labels' },
  kMin: 2,
  kMax: 5,
  restarts: 10,
  indices: defaultScanIndices,
  silhouette: 'auto',
}

async function hostWithIris() {
  const store = new HostStore(new Spool(null))
  const dataset = await openDataset(
    resolve('examples/iris.csv'),
    {},
    () => undefined,
    new AbortController().signal,
  )
  store.addDataset(dataset)
  const events: ScanEvent[] = []
  const listeners = new Set<() => void>()
  const sendEvent = <K extends keyof HostEvents>(channel: K, payload: HostEvents[K]) => {
    if (channel !== 'scan.event') return
    events.push(payload as ScanEvent)
    for (const listener of listeners) listener()
  }
  /** The first event of a kind from now on. */
  const event = <K extends ScanEvent['kind']>(kind: K) =>
    new Promise<Extract<ScanEvent, { kind: K }>>((answer) => {
      const seen = events.length
      const look = () => {
        const found = events.slice(seen).find((one) => one.kind === kind)
        if (found === undefined) return
        listeners.delete(look)
        answer(found as Extract<ScanEvent, { kind: K }>)
      }
      listeners.add(look)
    })
  const timingLock = { shared: <T>(work: () => Promise<T>) => work() }
  const handlers = {
    ...scanHandlers(store, sendEvent, { isMeasuring: false }, timingLock),
    ...qualityHandlers(store, sendEvent),
  }
  return { store, dataset, handlers, events, event }
}

describe('a scan in the host', () => {
  it('tells every restart and every k, and what the rules say', async () => {
    const { dataset, handlers, events, event } = await hostWithIris()
    const done = event('done')
    const { scanId } = await handlers['scan.start']({ datasetId: dataset.id, config })
    const { record } = await done
    expect(events.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 4 }, () => [...Array<string>(10).fill('restart'), 'k']).flat(),
      'done',
    ])
    expect(record).toMatchObject({ id: scanId, isComplete: true, n: 150, d: 4 })
    expect(record.rows.map(({ k }) => k)).toEqual([2, 3, 4, 5])
    // scikit-learn 1.2.1 on the same columns: silhouette_score of KMeans(2) and KMeans(3).
    expect(record.rows[0].silhouette?.mean).toBeCloseTo(0.6810461692117462, 7)
    expect(record.rows[1].silhouette?.mean).toBeCloseTo(0.5528190123564095, 7)
    expect(record.suggestions).toMatchObject({ silhouette: 2, calinskiHarabasz: 3 })
  })

  it('can be cancelled and goes on with what is missing', async () => {
    const { dataset, handlers, event } = await hostWithIris()
    const [first, cancelled] = [event('k'), event('cancelled')]
    const { scanId } = await handlers['scan.start']({ datasetId: dataset.id, config })
    await first
    await handlers['scan.cancel']({ scanId })
    const before = (await cancelled).record.rows.map(({ k }) => k)
    expect(before.length).toBeLessThan(4)
    const done = event('done')
    await handlers['scan.resume']({ scanId })
    const { record } = await done
    expect(record.rows.map(({ k }) => k)).toEqual([2, 3, 4, 5])
    expect(record.rows.slice(0, before.length).map(({ k }) => k)).toEqual(before)
  })

  it('goes on after the restarts that were finished when it was cancelled', async () => {
    const { dataset, handlers, events, event } = await hostWithIris()
    const whole = event('done')
    await handlers['scan.start']({ datasetId: dataset.id, config })
    const expected = (await whole).record
    const cancelled = event('cancelled')
    const seen = events.length
    const { scanId } = await handlers['scan.start']({ datasetId: dataset.id, config: { ...config, kMin: 3 } })
    await event('restart')
    await handlers['scan.cancel']({ scanId })
    const { pending, rows } = (await cancelled).record
    const made = () => events.slice(seen).filter(({ kind }) => kind === 'restart').length
    const before = made()
    expect(pending.length + 10 * rows.length).toBe(before)
    expect(pending.length % 10).toBeGreaterThan(0)
    const done = event('done')
    await handlers['scan.resume']({ scanId })
    const { record } = await done
    expect(made()).toBe(30)
    const timeless = (all: typeof record.rows) =>
      all.map((row) => ({ ...row, restarts: row.restarts.map((one) => ({ ...one, seconds: 0 })) }))
    expect(timeless(record.rows)).toEqual(timeless(expected.rows.slice(1)))
    const { runId } = await handlers['scan.take']({ scanId, k: 3 })
    const taken = (await handlers['scan.record']({ scanId })).rows[0]
    expect(taken.restarts).toHaveLength(10)
    expect(runId).toBeTruthy()
  })

  it('hands a k over as a run of the session', async () => {
    const { store, dataset, handlers, event } = await hostWithIris()
    const done = event('done')
    const { scanId } = await handlers['scan.start']({ datasetId: dataset.id, config })
    const { record: scan } = await done
    const { runId, record } = await handlers['scan.take']({ scanId, k: 3 })
    expect(record).toMatchObject({ k: 3, config: { nInit: 10, k: 3 } })
    const best = scan.rows[1].restarts[scan.rows[1].best]
    expect(record.inertia).toBe(best.inertia)
    const { labels, points } = await store.runs.result(runId)
    const sizes = record.clusters.map(({ size }) => size)
    expect(sizes).toEqual([0, 1, 2].map((cluster) => labels.filter((label) => label === cluster).length))
    expect(labelsByRow(labels, points.rows, dataset.rows, 0, 150)).toHaveLength(150)
    await expect(Promise.resolve(handlers['scan.take']({ scanId, k: 9 }))).rejects.toMatchObject({
      code: 'scan.unfinished',
    })
  })
})

describe('what the clusters are', () => {
  it('is told of a run that a scan gave', async () => {
    const { dataset, handlers, event } = await hostWithIris()
    const done = event('done')
    const { scanId } = await handlers['scan.start']({ datasetId: dataset.id, config })
    await done
    const { runId } = await handlers['scan.take']({ scanId, k: 3 })
    const profile = await handlers['run.profile']({ runId, start: 0, count: 3 })
    expect(profile.count).toBe(3)
    expect([...profile.sizes].sort((a, b) => a - b)).toEqual([38, 50, 62])
    const silhouettes = await handlers['run.silhouettes']({ runId, extent: 'auto' })
    expect(silhouettes).toMatchObject({ standardError: null, points: 150 })
    const { values } = await handlers['run.silhouette-values']({ runId, start: 0, count: 150 })
    expect(values.reduce((sum, value) => sum + value, 0) / 150).toBeCloseTo(silhouettes.mean, 6)
    const species = dataset.columns.findIndex(({ name }) => name === 'species')
    const table = await handlers['run.cross-table']({ runId, column: species })
    expect(table.total).toBe(150)
    // scikit-learn 1.2.1: adjusted_rand_score and normalized_mutual_info_score of KMeans(3) with the species.
    expect(table.adjustedRand).toBeCloseTo(0.7302382722834697, 10)
    expect(table.mutualInformation).toBeCloseTo(0.7581756800057784, 10)
    const outliers = await handlers['run.outliers']({ runId, cluster: null, count: 5 })
    expect(outliers.clusters).toHaveLength(3)
    const { values: distances } = await handlers['run.distances']({ runId, start: 0, count: 150 })
    expect(distances.every((distance) => distance >= 0)).toBe(true)
  })
})
