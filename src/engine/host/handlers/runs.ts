import { randomUUID } from 'node:crypto'
import type { Comparisons } from '@engine/benchmark/comparisons'
import { hashed, type Dataset } from '@engine/dataset/dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import type { Resumption, RunObserver } from '@engine/run/types'
import { LabError, toErrorReport } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import { maxByteClusters } from '@shared/ipc'
import { labelBytesByRow, labelsByRow } from '../labels-by-row'
import type { HostHandlers, SendEvent } from '../protocol'
import type { HostStore } from '../store'
import { IterationsThrottle } from '../iterations-throttle'

const eventMs = 100
/** A live result that nobody replaced for so long is kept. */
const liveRestMs = 1500

type RunHandlers = Pick<
  HostHandlers,
  | 'run.start'
  | 'run.resume'
  | 'run.broken'
  | 'run.cancel'
  | 'run.labels'
  | 'run.labels-bytes'
  | 'run.kept'
  | 'run.forget'
>

/** A run to be carried out. */
interface Order {
  readonly runId: string
  readonly datasetId: string
  readonly dataset: Dataset
  readonly config: RunConfig
  /** Follows a setting that is being changed: as quick as can be, and written down only when it lasts. */
  readonly live?: boolean
  /** A live run: the one whose clusters it may begin from. */
  readonly after?: string | undefined
  /** The run that this one goes on with, and where. */
  readonly broken?: { readonly runId: string; readonly resumption: Resumption }
}

export function runHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  comparisons: Pick<Comparisons, 'isMeasuring'>,
  startAgain: () => void = () => undefined,
): RunHandlers {
  const begin = (order: Omit<Order, 'runId'>): { runId: string } => {
    const runId = randomUUID()
    const signal = store.runs.begin(runId, order.datasetId)
    void carryOut(store, sendEvent, { runId, ...order }, signal).then((isSpoilt) => {
      if (isSpoilt && !store.runs.isWorking) startAgain()
    })
    return { runId }
  }
  return {
    'run.start': ({ datasetId, config, live = false, after }) => {
      if (comparisons.isMeasuring) throw measuring()
      return begin({ datasetId, dataset: store.dataset(datasetId), config, live, after })
    },
    'run.resume': async ({ runId, engine }) => {
      const sha256Of = async (datasetId: string) => (await hashed(store.dataset(datasetId))).file.sha256
      const { datasetId, config, resumption } = await store.broken.resume(runId, engine, sha256Of)
      if (comparisons.isMeasuring) throw measuring()
      const dataset = store.dataset(datasetId)
      return begin({ datasetId, dataset, config, broken: { runId, resumption } })
    },
    'run.broken': ({ datasetId }) => store.broken.newest(datasetId),
    'run.cancel': ({ runId }) => {
      store.runs.cancel(runId)
      return null
    },
    'run.labels': async ({ runId, start, count }) => {
      const { labels, points, dataset } = await store.runs.result(runId)
      return { labels: labelsByRow(labels, points.rows, dataset.rows, start, count) }
    },
    'run.labels-bytes': async ({ runId, start, count }) => {
      const { labels, points, dataset, record } = await store.runs.result(runId)
      if (record.k > maxByteClusters) throw tooManyForBytes()
      return { labels: labelBytesByRow(labels, points.rows, dataset.rows, start, count) }
    },
    'run.kept': ({ datasetId }) => store.runs.kept(datasetId),
    'run.forget': async ({ runId }) => {
      await store.runs.forget(runId)
      await store.broken.forget(runId)
      return null
    },
  }
}

/** Nothing is clustered beside a comparison. */
export function measuring(): LabError {
  return new LabError(
    'input',
    'bench.measuring',
    'A comparison is being measured, and a clustering beside it would spoil its times: pause or cancel it first.',
  )
}

function tooManyForBytes(): LabError {
  const message = `Expected at most ${maxByteClusters} clusters for labels in bytes.`
  return new LabError('internal', 'run.labels-bytes', message)
}

/**
 * Runs in the background; whatever happens ends in exactly one event `done`, `cancelled` or `failed`.
 * @returns this process is of no more use for an engine, and what can be resumed lies on the disk
 */
async function carryOut(
  store: HostStore,
  sendEvent: SendEvent,
  { runId, datasetId, dataset, config, live = false, after, broken }: Order,
  signal: AbortSignal,
): Promise<boolean> {
  const engine = broken?.resumption.engine ?? null
  const follower = store.broken.follow({ runId, datasetId, dataset, config, engine }, broken?.runId)
  const throttle = new IterationsThrottle(eventMs, (progress) =>
    sendEvent('run.event', { kind: 'iterations', runId, ...progress }),
  )
  const observer: RunObserver = {
    phase(phase, restart) {
      throttle.flush()
      sendEvent('run.event', { kind: 'phase', runId, phase, restart })
    },
    iterations: (progress) => throttle.add(progress),
    checkpointReady: (take) => follower.checkpointReady(take),
  }
  try {
    const warm = live ? store.warm.start(dataset, config, after) : undefined
    const result = await runKmeans(dataset, config, observer, signal, broken?.resumption, warm)
    signal.throwIfAborted()
    const record = { ...result.record, id: runId }
    await store.runs.finish(runId, { ...result, record }, live ? liveRestMs : 0)
    await follower.end()
    throttle.flush()
    sendEvent('run.event', { kind: 'done', runId, record })
    if (live) store.warm.goOn(result)
    return false
  } catch (thrown) {
    store.runs.drop(runId)
    const error = toErrorReport(thrown)
    if (error.kind === 'engine-lost') {
      const goesOn = await follower.break()
      sendEvent('run.event', { kind: 'failed', runId, error, ...(goesOn && { broken: goesOn }) })
      return goesOn?.engine === 'cuda' && (await store.broken.isOnDisk(runId))
    }
    if (error.kind === 'cancelled') sendEvent('run.event', { kind: 'cancelled', runId })
    else sendEvent('run.event', { kind: 'failed', runId, error })
    await follower.end()
    return false
  }
}
