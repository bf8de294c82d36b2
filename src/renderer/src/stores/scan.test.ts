import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, it } from 'vitest'
import { record } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
import { scanConfig, scannedK, scanRecord, scanRestart } from '../../test/quality'
import type { FakeLab } from '../../test/fake-lab'
import { useScanStore } from './scan'

let lab: FakeLab
const none = { knee: null, silhouette: null, calinskiHarabasz: null, daviesBouldin: null, gap: null }

async function freshScan(answers: Parameters<typeof freshWindow>[0] = {}) {
  lab = freshWindow({
    'scan.list': () => [],
    'scan.start': () => ({ scanId: 'scan-1' }),
    'scan.cancel': () => null,
    'scan.resume': () => null,
    'scan.forget': () => null,
    ...answers,
  }).lab
  const scan = useScanStore()
  scan.subscribe()
  await scan.adopt('data-1')
  return scan
}
let scan: Awaited<ReturnType<typeof freshScan>>
beforeEach(async () => void (scan = await freshScan()))

const finishOne = () => {
  const restart = scanRestart(2, 0, 152)
  lab.emit('scan.event', { kind: 'restart', scanId: 'scan-1', restart, done: 1, total: 6 })
  lab.emit('scan.event', { kind: 'k', scanId: 'scan-1', row: scannedK(2, 152), suggestions: none })
}

describe('a scan', () => {
  it('shows every finished k at once, and the restarts of the one under way', async () => {
    await scan.start(scanConfig())
    expect(scan.state).toBe('running')
    finishOne()
    const restart = scanRestart(3, 0, 79)
    lab.emit('scan.event', { kind: 'restart', scanId: 'scan-1', restart, done: 3, total: 6 })
    expect(scan.shown?.rows.map(({ k }) => k)).toEqual([2])
    expect(scan.shown?.pending).toEqual([restart])
    expect(scan.progress).toEqual({ done: 3, total: 6 })
    lab.emit('scan.event', { kind: 'done', scanId: 'scan-1', record: scanRecord() })
    expect([scan.state, scan.busy, scan.progress]).toEqual(['done', false, null])
    expect(scan.shown?.rows).toHaveLength(3)
  })

  it('takes events that overtake the answer which names it, and leaves those of others', async () => {
    scan = await freshScan({
      'scan.start': () => {
        finishOne()
        lab.emit('scan.event', { kind: 'k', scanId: 'other', row: scannedK(7, 1), suggestions: none })
        return { scanId: 'scan-1' }
      },
    })
    await scan.start(scanConfig())
    expect(scan.shown?.rows.map(({ k }) => k)).toEqual([2])
  })

  it('is cancelled with what it has, and goes on with the rest', async () => {
    await scan.start(scanConfig())
    await scan.cancel()
    expect(scan.cancelling).toBe(true)
    const part = scanRecord({ rows: [scannedK(2, 152)], isComplete: false })
    lab.emit('scan.event', { kind: 'cancelled', scanId: 'scan-1', record: part })
    expect([scan.state, scan.canResume, scan.cancelling]).toEqual(['cancelled', true, false])
    await scan.resume()
    expect([scan.state, channelsOf(lab).includes('scan.resume')]).toEqual(['running', true])
    lab.emit('scan.event', { kind: 'done', scanId: 'scan-1', record: scanRecord() })
    expect(scan.canResume).toBe(false)
  })

  it('that fails keeps what it has, and says why', async () => {
    await scan.start(scanConfig())
    const error = { kind: 'input', code: 'x', message: 'No.', details: null } as const
    const part = scanRecord({ rows: [scannedK(2, 152)], isComplete: false })
    lab.emit('scan.event', { kind: 'failed', scanId: 'scan-1', error, record: part })
    expect([scan.state, scan.error?.message, scan.canResume]).toEqual(['failed', 'No.', true])
  })

  it('is not resumed when the engine that had it is lost', async () => {
    await scan.start(scanConfig())
    finishOne()
    scan.engineLost('The engine process ended.')
    expect([scan.state, scan.canResume, scan.error?.message]).toEqual([
      'failed',
      false,
      'The engine process ended.',
    ])
    expect(scan.shown?.rows).toHaveLength(1)
  })

  it('belongs to its file: another one has none, or its own of before', async () => {
    await scan.start(scanConfig())
    await scan.adopt('data-2')
    expect([scan.state, scan.shown]).toEqual(['idle', null])
    expect(channelsOf(lab)).toContain('scan.cancel')
    scan = await freshScan({ 'scan.list': () => [scanRecord({ isComplete: false })] })
    expect([scan.state, scan.canResume]).toEqual(['cancelled', true])
  })

  it('gives a k over as a run with the settings that would make it again', async () => {
    scan = await freshScan({ 'scan.take': () => ({ runId: 'run-7', record: record({ id: 'run-7', k: 3 }) }) })
    await scan.start(scanConfig({ restarts: 5 }))
    lab.emit('scan.event', {
      kind: 'done',
      scanId: 'scan-1',
      record: scanRecord({ config: scanConfig({ restarts: 5 }) }),
    })
    const taken = await scan.take(3)
    await flushPromises()
    expect(taken).toMatchObject({ datasetId: 'data-1', asked: { k: 3, nInit: 5 }, record: { id: 'run-7' } })
    expect([...scan.taken]).toEqual([[3, 'run-7']])
  })
})
