import { randomUUID } from 'node:crypto'
import type { Comparisons } from '@engine/benchmark/comparisons'
import type { TimingLock } from '@engine/benchmark/timing-lock'
import { writeScan } from '@engine/export/scan'
import { Scan, type ScanObserver } from '@engine/scan/scan'
import { toErrorReport } from '@shared/errors'
import type { ScanEvent } from '@shared/scan'
import type { HostHandlers, SendEvent } from '../protocol'
import { Scans } from '../scans'
import type { HostStore } from '../store'
import { measuring } from './runs'

type ScanHandlers = Pick<
  HostHandlers,
  `scan.${'start' | 'cancel' | 'resume' | 'record' | 'list' | 'take' | 'forget'}` | 'export.scan'
>

/** Scans over a range of k. */
export function scanHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  comparisons: Pick<Comparisons, 'isMeasuring'>,
  timingLock: Pick<TimingLock, 'shared'>,
): ScanHandlers {
  const scans = new Scans()
  const begin = (scanId: string) => {
    if (comparisons.isMeasuring) throw measuring()
    const datasetId = scans.datasetOf(scanId)
    scans.requireIdle(datasetId)
    const until = store.untilClosed(datasetId)
    const scan = scans.get(scanId)
    // It has ended before it says so, so that whoever hears it can go on with it.
    void scans
      .during(scanId, until, (signal) => carryOut(scan, sendEvent, signal))
      .then((event) => sendEvent('scan.event', event))
  }
  return {
    'scan.start': ({ datasetId, config }) => {
      if (comparisons.isMeasuring) throw measuring()
      scans.requireIdle(datasetId)
      const pointsAlike: ConstructorParameters<typeof Scan>[2] = (dataset, preparation) =>
        store.runs.pointsAlike(dataset, preparation)
      const scan = new Scan(store.dataset(datasetId), config, pointsAlike)
      scans.add(datasetId, scan)
      const release = () => scans.releaseMadeOn(datasetId)
      store.untilClosed(datasetId).addEventListener('abort', release, { once: true })
      begin(scan.id)
      return { scanId: scan.id }
    },
    'scan.cancel': ({ scanId }) => {
      scans.cancel(scanId)
      return null
    },
    'scan.resume': ({ scanId }) => {
      begin(scanId)
      return null
    },
    'scan.record': ({ scanId }) => scans.get(scanId).record(),
    'scan.list': ({ datasetId }) => scans.of(datasetId).map((scan) => scan.record()),
    'scan.take': async ({ scanId, k }) => {
      const datasetId = scans.datasetOf(scanId)
      const taken = await scans.get(scanId).take(k, store.untilClosed(datasetId))
      const runId = randomUUID()
      const record = { ...taken.record, id: runId }
      store.runs.begin(runId, datasetId)
      await store.runs.finish(runId, { ...taken, record })
      return { runId, record }
    },
    'scan.forget': ({ scanId }) => {
      scans.forget(scanId)
      return null
    },
    'export.scan': ({ scanId, path, replace, ...text }) => {
      const record = scans.get(scanId).record()
      const { signal } = new AbortController()
      return timingLock.shared(() => writeScan(record, path, { replace, signal, ...text }), signal)
    },
  }
}

/** Whatever happens, its last event is answered. */
async function carryOut(scan: Scan, sendEvent: SendEvent, signal: AbortSignal): Promise<ScanEvent> {
  const scanId = scan.id
  const observer: ScanObserver = {
    restart: (restart, done, total) =>
      sendEvent('scan.event', { kind: 'restart', scanId, restart, done, total }),
    finishedK: (row, suggestions) => sendEvent('scan.event', { kind: 'k', scanId, row, suggestions }),
  }
  try {
    await scan.run(observer, signal)
    return { kind: 'done', scanId, record: scan.record() }
  } catch (thrown) {
    const [error, record] = [toErrorReport(thrown), scan.record()]
    return error.kind === 'cancelled'
      ? { kind: 'cancelled', scanId, record }
      : { kind: 'failed', scanId, error, record }
  }
}
