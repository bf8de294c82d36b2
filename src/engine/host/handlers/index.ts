import { Comparisons } from '@engine/benchmark/comparisons'
import { Journal } from '@engine/benchmark/journal'
import { TimingLock } from '@engine/benchmark/timing-lock'
import { productDependencies } from '@engine/benchmark/dependencies'
import { listEngines } from '@engine/engines/list'
import { systemSleep } from '@engine/system-sleep'
import { Projections } from '../projections'
import type { HostHandlers, SendEvent } from '../protocol'
import type { HostStore } from '../store'
import { ReportingJournal } from '../reporting-journal'
import { benchmarkHandlers } from './benchmark'
import { betweenRuns } from './between-runs'
import { dataViewHandlers } from './data-views'
import { datasetHandlers } from './datasets'
import { exportHandlers } from './exports'
import { generateHandlers } from './generate'
import { memoryHandlers } from './memory'
import { qualityHandlers, valuesByPoint } from './quality'
import { scanHandlers } from './scans'
import { sessionHandlers } from './sessions'
import { projectionHandlers } from './projections'
import { runViewHandlers } from './run-views'
import { runHandlers } from './runs'
import { Predictions } from '../predictions'
import { reuseHandlers } from './reuse'
import { stepsHandlers } from './steps'
import { RunQuality } from '../run-quality'
import { Tables, type FindSilhouettes } from '../tables'
import { tableHandlers } from './tables'
import { IdleGarbageCollector } from '../idle-garbage-collector'

/**
 * Every request of the contract; each handler only joins the store and one module of the engine.
 * @param startAgain ends this process for another: CUDA fails for good in one that lost its device
 */
export function hostHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  comparisons = comparisonsIn(null, store, sendEvent),
  startAgain?: () => void,
): HostHandlers {
  const { timingLock } = comparisons
  const projections = new Projections(store)
  const quality = new RunQuality()
  const predictions = new Predictions()
  const silhouettes: FindSilhouettes = ({ record, points }) => {
    const found = quality.silhouettes(record.id)
    return found === undefined ? null : valuesByPoint(found)(points.n)
  }
  const handlers: HostHandlers = {
    ...datasetHandlers(store, sendEvent, timingLock),
    ...dataViewHandlers(store),
    ...runHandlers(store, sendEvent, comparisons, startAgain),
    ...projectionHandlers(projections),
    ...runViewHandlers(store, (id, result) => projections.of(id, result)),
    ...qualityHandlers(store, sendEvent, quality),
    ...scanHandlers(store, sendEvent, comparisons, timingLock),
    ...exportHandlers(store, sendEvent, timingLock, predictions),
    ...reuseHandlers(store, sendEvent, comparisons, timingLock, predictions),
    ...stepsHandlers(),
    ...tableHandlers(store, new Tables(store, silhouettes)),
    ...benchmarkHandlers(store, comparisons),
    ...generateHandlers(sendEvent, timingLock),
    ...sessionHandlers(store, sendEvent),
    ...memoryHandlers(store),
    'engines.list': () => listEngines(),
    'host.sleep': ({ asleep }) => {
      if (asleep) systemSleep.begin()
      else systemSleep.end()
      return null
    },
    'host.ping': () => ({ pid: process.pid, node: process.version }),
  }
  const collector = new IdleGarbageCollector(() => store.runs.isWorking || comparisons.isMeasuring)
  return collectingWhenIdle({ ...handlers, ...betweenRuns(handlers, timingLock) }, collector)
}

/** What leaves memory behind, and what it would be given back in the middle of. */
function collectingWhenIdle(handlers: HostHandlers, collector: IdleGarbageCollector): HostHandlers {
  return {
    ...handlers,
    'dataset.open': async (params) => {
      try {
        return await handlers['dataset.open'](params)
      } finally {
        collector.soon()
      }
    },
    'dataset.close': async (params) => {
      collector.soon()
      return handlers['dataset.close'](params)
    },
    'dataset.values': (params) => {
      collector.later()
      return handlers['dataset.values'](params)
    },
  }
}

/** @param folder where comparisons are kept; null keeps them in memory only */
export function comparisonsIn(folder: string | null, store: HostStore, sendEvent: SendEvent): Comparisons {
  const dependencies = productDependencies(
    (datasetId) => store.dataset(datasetId),
    () => store.all(),
  )
  const timingLock = new TimingLock((state) => sendEvent('bench.quiet', state))
  const notice = (sentence: string) => sendEvent('host.notice', { sentence })
  return new Comparisons(
    folder === null ? new Journal(null) : new ReportingJournal(folder, notice),
    dependencies,
    (event) => sendEvent('bench.event', event),
    timingLock,
  )
}
