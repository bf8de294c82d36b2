import { randomUUID } from 'node:crypto'
import type { Comparisons } from '@engine/benchmark/comparisons'
import type { Dataset } from '@engine/dataset/dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import type { RunObserver } from '@engine/run/run'
import { LabError, toErrorReport } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import { labelsByRow } from '../labels-by-row'
import type { HostHandlers, SendEvent } from '../protocol'
import type { HostStore } from '../store'
import { IterationsThrottle } from '../throttle'

const eventMs = 100

type RunHandlers = Pick<HostHandlers, 'run.start' | 'run.cancel' | 'run.labels' | 'run.kept' | 'run.forget'>

export function runHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  comparisons: Pick<Comparisons, 'isMeasuring'>,
): RunHandlers {
  return {
    'run.start': ({ datasetId, config }) => {
      if (comparisons.isMeasuring) throw measuring()
      const dataset = store.dataset(datasetId)
      const runId = randomUUID()
      const signal = store.runs.begin(runId, datasetId)
      void carryOut(store, sendEvent, runId, dataset, config, signal)
      return { runId }
    },
    'run.cancel': ({ runId }) => {
      store.runs.cancel(runId)
      return null
    },
    'run.labels': async ({ runId, start, count }) => {
      const { labels, points, dataset } = await store.runs.result(runId)
      return { labels: labelsByRow(labels, points.rows, dataset.rows, start, count) }
    },
    'run.kept': ({ datasetId }) => store.runs.kept(datasetId),
    'run.forget': async ({ runId }) => {
      await store.runs.forget(runId)
      return null
    },
  }
}

function measuring(): LabError {
  return new LabError(
    'input',
    'bench.measuring',
    'A comparison is being measured, and a clustering beside it would spoil its times: pause or cancel it first.',
  )
}

/** Runs in the background; whatever happens ends in exactly one event `done`, `cancelled` or `failed`. */
async function carryOut(
  store: HostStore,
  sendEvent: SendEvent,
  runId: string,
  dataset: Dataset,
  config: RunConfig,
  signal: AbortSignal,
): Promise<void> {
  const throttle = new IterationsThrottle(eventMs, (progress) =>
    sendEvent('run.event', { kind: 'iterations', runId, ...progress }),
  )
  const observer: RunObserver = {
    phase(phase, restart) {
      throttle.flush()
      sendEvent('run.event', { kind: 'phase', runId, phase, restart })
    },
    iterations: (progress) => throttle.add(progress),
  }
  try {
    const result = await runKmeans(dataset, config, observer, signal)
    signal.throwIfAborted()
    const record = { ...result.record, id: runId }
    await store.runs.finish(runId, { ...result, record })
    throttle.flush()
    sendEvent('run.event', { kind: 'done', runId, record })
  } catch (thrown) {
    store.runs.drop(runId)
    const error = toErrorReport(thrown)
    if (error.kind === 'cancelled') sendEvent('run.event', { kind: 'cancelled', runId })
    else sendEvent('run.event', { kind: 'failed', runId, error })
  }
}
