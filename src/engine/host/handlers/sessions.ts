import { basename } from 'node:path'
import type { SessionHostRequests, SessionProgress } from '@shared/session-requests'
import { atMostEvery } from '@shared/throttle'
import { fileState, findFiles } from '../../session/find-files'
import { unpackSession } from '../../session/unpack-session'
import { writeSession } from '../../session/write-session'
import type { HostHandlers, SendEvent } from '../protocol'
import { SignalsByRun } from '../signals-by-run'
import type { SpooledRun } from '../spool'
import type { HostStore } from '../store'

const progressMs = 100
/** The window has one session, which is written or read. */
const session = 'session'

/** Sessions: their runs come from, and go to, where the runs of the window are kept. */
export function sessionHandlers(
  { runs }: HostStore,
  sendEvent: SendEvent,
): Pick<HostHandlers, keyof SessionHostRequests> {
  const underWay = new SignalsByRun()
  const reporter = () =>
    atMostEvery(progressMs, (progress: SessionProgress) => sendEvent('session.progress', progress))
  const during = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await underWay.during([session], work)
    } finally {
      sendEvent('session.progress', null)
    }
  }
  /** A run that is no longer known is refused when its turn comes. */
  const rowsOf = async (runId: string): Promise<number> => {
    const facts = await runs.facts(runId).catch(() => null)
    return facts?.record.n ?? 0
  }
  return {
    'session.write': ({ path, ...content }) =>
      during(async (signal) => {
        const report = reporter()
        const ids = content.datasets.flatMap((dataset) => dataset.runs.map(({ id }) => id))
        const totalRows = (await Promise.all(ids.map(rowsOf))).reduce((sum, rows) => sum + rows, 0)
        const onRows = (rows: number) => report({ doing: 'saving', name: basename(path), rows, totalRows })
        onRows(0)
        return await writeSession(path, content, (runId) => runs.withArrays(runId), signal, onRows)
      }),
    'session.read': ({ path }) =>
      during((signal) => {
        const report = reporter()
        const onBytes = (bytes: number, totalBytes: number) =>
          report({ doing: 'opening', name: basename(path), bytes, totalBytes })
        const shelter = {
          add: (runId: string, run: SpooledRun) => runs.takeIn(runId, run),
          discard: (datasetId: string) => runs.discard(datasetId),
        }
        return unpackSession(path, shelter, { signal, onBytes })
      }),
    'session.cancel': () => {
      underWay.abort(session)
      return null
    },
    'session.check': ({ files }) => Promise.all(files.map(fileState)),
    'session.find': async ({ folder, files }) => {
      const found = await findFiles(folder, files)
      return files.map(({ id }) => found.get(id) ?? null)
    },
    'session.discard': async ({ datasetIds }) => {
      for (const datasetId of datasetIds) await runs.discard(datasetId)
      return null
    },
    'run.listed': ({ datasetIds }) => runs.listed(new Set(datasetIds)),
    'run.record': ({ runId }) => runs.record(runId),
  }
}
