import { Comparisons } from '@engine/benchmark/comparisons'
import { Journal } from '@engine/benchmark/journal'
import { Quiet } from '@engine/benchmark/quiet'
import { productSurroundings } from '@engine/benchmark/surroundings'
import { listEngines } from '@engine/engines/list'
import { systemSleep } from '@engine/system-sleep'
import { Projections } from '../projections'
import type { HostHandlers, SendEvent } from '../protocol'
import type { HostStore } from '../store'
import { benchmarkHandlers } from './benchmark'
import { betweenRuns } from './between-runs'
import { dataViewHandlers } from './data-views'
import { datasetHandlers } from './datasets'
import { exportHandlers } from './exports'
import { generateHandlers } from './generate'
import { projectionHandlers } from './projections'
import { runViewHandlers } from './run-views'
import { runHandlers } from './runs'
import { stepsHandlers } from './steps'
import { Tidy } from '../tidy'

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
  const { quiet } = comparisons
  const projections = new Projections(store)
  const handlers: HostHandlers = {
    ...datasetHandlers(store, sendEvent, quiet),
    ...dataViewHandlers(store),
    ...runHandlers(store, sendEvent, comparisons, startAgain),
    ...projectionHandlers(projections),
    ...runViewHandlers(store, (id, result) => projections.of(id, result)),
    ...exportHandlers(store, sendEvent, quiet),
    ...stepsHandlers(),
    ...benchmarkHandlers(store, comparisons),
    ...generateHandlers(sendEvent, quiet),
    'engines.list': () => listEngines(),
    'host.sleep': ({ asleep }) => {
      if (asleep) systemSleep.begin()
      else systemSleep.end()
      return null
    },
    'host.ping': () => ({ pid: process.pid, node: process.version }),
  }
  const tidy = new Tidy(() => store.runs.isWorking || comparisons.isMeasuring)
  return tidied({ ...handlers, ...betweenRuns(handlers, quiet) }, tidy)
}

/** What leaves memory behind, and what it would be given back in the middle of. */
function tidied(handlers: HostHandlers, tidy: Tidy): HostHandlers {
  return {
    ...handlers,
    'dataset.open': async (params) => {
      try {
        return await handlers['dataset.open'](params)
      } finally {
        tidy.soon()
      }
    },
    'dataset.close': async (params) => {
      tidy.soon()
      return handlers['dataset.close'](params)
    },
    'dataset.values': (params) => {
      tidy.later()
      return handlers['dataset.values'](params)
    },
  }
}

/** @param folder where comparisons are kept; null keeps them in memory only */
export function comparisonsIn(folder: string | null, store: HostStore, sendEvent: SendEvent): Comparisons {
  const surroundings = productSurroundings(
    (datasetId) => store.dataset(datasetId),
    () => store.all(),
  )
  const quiet = new Quiet((state) => sendEvent('bench.quiet', state))
  return new Comparisons(new Journal(folder), surroundings, (event) => sendEvent('bench.event', event), quiet)
}
