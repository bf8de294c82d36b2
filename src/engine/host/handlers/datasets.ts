import { randomUUID } from 'node:crypto'
import type { TimingLock } from '@engine/benchmark/timing-lock'
import { drawnValues } from '@engine/dataset/drawn-values'
import { openDataset, previewFile } from '@engine/csv/open-dataset'
import { hashed, summarise } from '@engine/dataset/dataset'
import { invalidArgument } from '@shared/errors'
import type { HostHandlers, HostParams, HostResult, SendEvent } from '../protocol'
import type { HostStore } from '../store'

type DatasetHandlers = Pick<
  HostHandlers,
  | 'dataset.preview'
  | 'dataset.open'
  | 'dataset.sha256'
  | 'dataset.cancel-open'
  | 'dataset.close'
  | 'dataset.values'
>

/** @param timingLock opening waits for a run that is being timed */
export function datasetHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  timingLock: Pick<TimingLock, 'shared'>,
): DatasetHandlers {
  const opening = new Map<string, AbortController>()
  return {
    'dataset.preview': ({ path, overrides }) => previewFile(path, overrides),
    'dataset.open': async ({ path, overrides, datasetId }) => {
      // A second opening of a file takes the place of the first.
      opening.get(path)?.abort()
      const controller = new AbortController()
      opening.set(path, controller)
      try {
        const report = (progress: Parameters<Parameters<typeof openDataset>[2]>[0]) =>
          sendEvent('dataset.progress', progress)
        const { signal } = controller
        const open = () => openDataset(path, overrides, report, signal)
        const loaded = await timingLock.shared(open, signal)
        controller.signal.throwIfAborted()
        const dataset = { ...loaded, id: datasetId ?? randomUUID() }
        store.addDataset(dataset)
        store.untilClosed(dataset.id).addEventListener('abort', () => controller.abort(), { once: true })
        // Nothing is timed beside it.
        timingLock.shared(() => hashed(dataset)).catch(() => undefined)
        return summarise(dataset)
      } finally {
        if (opening.get(path) === controller) opening.delete(path)
      }
    },
    'dataset.sha256': async ({ datasetId }) => (await hashed(store.dataset(datasetId))).file.sha256,
    'dataset.cancel-open': ({ path }) => {
      opening.get(path)?.abort()
      return null
    },
    'dataset.close': ({ datasetId }) => {
      store.closeDataset(datasetId)
      return null
    },
    'dataset.values': (params) => columnChunk(store, params),
  }
}

function columnChunk(
  store: HostStore,
  { datasetId, column, start, count }: HostParams<'dataset.values'>,
): HostResult<'dataset.values'> {
  const dataset = store.dataset(datasetId)
  const numeric = dataset.numeric[column]
  if (numeric === undefined) throw invalidArgument('a numeric column', 'column of dataset.values', column)
  const { min, max } = dataset.columns[column]
  return drawnValues(numeric, { min: min ?? 0, max: max ?? 0 }, start, count)
}
