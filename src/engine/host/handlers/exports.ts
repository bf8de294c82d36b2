import { writeExport } from '@engine/export'
import type { HostHandlers, SendEvent } from '../protocol'
import { atMostEvery } from '../throttle'
import type { HostStore } from '../store'

const progressMs = 100

export function exportHandlers(store: HostStore, sendEvent: SendEvent): Pick<HostHandlers, 'export.write'> {
  return {
    'export.write': async ({ runId, kind, path, replace }) => {
      const result = await store.runs.result(runId)
      const totalRows = result.dataset.rows
      const onProgress = atMostEvery(progressMs, (rows: number) =>
        sendEvent('export.progress', { runId, kind, rows, totalRows }),
      )
      return writeExport(result, kind, path, { replace, onProgress, signal: new AbortController().signal })
    },
  }
}
