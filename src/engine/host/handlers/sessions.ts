import type { SessionHostRequests } from '@shared/session-requests'
import { fileState, findFiles } from '../../session/find-files'
import { unpackSession } from '../../session/unpack-session'
import { writeSession } from '../../session/write-session'
import type { HostHandlers } from '../protocol'
import type { HostStore } from '../store'

/** Sessions: their runs come from, and go to, where the runs of the window are kept. */
export function sessionHandlers({ runs }: HostStore): Pick<HostHandlers, keyof SessionHostRequests> {
  return {
    'session.write': ({ path, ...content }) =>
      writeSession(path, content, (runId) => runs.withArrays(runId), new AbortController().signal),
    'session.read': ({ path }) =>
      unpackSession(path, {
        add: (runId, run) => runs.takeIn(runId, run),
        discard: (datasetId) => runs.discard(datasetId),
      }),
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
