import type { TimingLock } from '@engine/benchmark/timing-lock'
import { writeAssignments, writeExport } from '@engine/export'
import { exportSteps } from '@engine/export/steps-folder'
import { writeTimings } from '@engine/export/timings'
import type { Predictions } from '../predictions'
import type { HostHandlers, HostParams, SendEvent } from '../protocol'
import { SignalsByRun } from '../signals-by-run'
import { atMostEvery } from '@shared/throttle'
import type { HostStore } from '../store'

type ExportHandlers = Pick<HostHandlers, `export.${'write' | 'steps' | 'timings' | 'assignments' | 'cancel'}`>

const progressMs = 100

/**
 * What a run leaves on the disk.
 * @param timingLock writing waits for a run that is being timed
 */
export function exportHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  timingLock: Pick<TimingLock, 'shared'>,
  predictions: Pick<Predictions, 'get'>,
): ExportHandlers {
  const underWay = new SignalsByRun()
  const during = <T>(runIds: readonly string[], work: (signal: AbortSignal) => Promise<T>) =>
    underWay.during(runIds, (signal) => timingLock.shared(() => work(signal), signal))
  return {
    'export.write': (params) => during([params.runId], (signal) => write(store, sendEvent, params, signal)),
    'export.steps': (params) =>
      during([params.runId], (signal) => writePairs(store, sendEvent, params, signal)),
    'export.timings': ({ runIds, path, replace, ...text }) =>
      during(runIds, async (signal) => {
        const facts = await Promise.all(runIds.map((runId) => store.runs.facts(runId)))
        const runs = facts.map(({ record }) => record)
        return writeTimings(runs, path, { replace, signal, ...text })
      }),
    'export.assignments': (params) =>
      during([params.predictionId], (signal) => writeAssigned(predictions, sendEvent, params, signal)),
    'export.cancel': ({ runId }) => {
      underWay.abort(runId)
      return null
    },
  }
}

async function write(
  store: HostStore,
  sendEvent: SendEvent,
  { runId, kind, path, replace, ...text }: HostParams<'export.write'>,
  signal: AbortSignal,
) {
  const result = await store.runs.result(runId)
  const totalRows = result.dataset.rows
  const onProgress = atMostEvery(progressMs, (rows: number) =>
    sendEvent('export.progress', { runId, kind, rows, totalRows }),
  )
  return writeExport(result, kind, path, { replace, onProgress, signal, ...text })
}

async function writeAssigned(
  predictions: Pick<Predictions, 'get'>,
  sendEvent: SendEvent,
  { predictionId: runId, path, replace, ...text }: HostParams<'export.assignments'>,
  signal: AbortSignal,
) {
  const { labelled } = predictions.get(runId)
  const totalRows = labelled.dataset.rows
  const onProgress = atMostEvery(progressMs, (rows: number) =>
    sendEvent('export.progress', { runId, kind: 'assignments', rows, totalRows }),
  )
  return writeAssignments(labelled, path, { replace, onProgress, signal, ...text })
}

async function writePairs(
  store: HostStore,
  sendEvent: SendEvent,
  { runId, folder, steps, replace, ...text }: HostParams<'export.steps'>,
  signal: AbortSignal,
) {
  const result = await store.runs.result(runId)
  const report = atMostEvery(progressMs, ([rows, totalRows]: readonly [number, number]) =>
    sendEvent('export.progress', { runId, kind: 'steps', rows, totalRows }),
  )
  const onProgress = (rows: number, totalRows: number) => report([rows, totalRows])
  return { files: await exportSteps(result, folder, steps, { replace, signal, onProgress, ...text }) }
}
