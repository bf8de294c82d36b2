import { listEngines } from '@engine/engines/list'
import { Projections } from '../projections'
import type { HostHandlers, SendEvent } from '../protocol'
import type { HostStore } from '../store'
import { benchmarkHandlers } from './benchmark'
import { dataViewHandlers } from './data-views'
import { datasetHandlers } from './datasets'
import { exportHandlers } from './exports'
import { generateHandlers } from './generate'
import { projectionHandlers } from './projections'
import { runViewHandlers } from './run-views'
import { runHandlers } from './runs'
import { stepsHandlers } from './steps'

/** Every request of the contract; each handler only joins the store and one module of the engine. */
export function hostHandlers(store: HostStore, sendEvent: SendEvent): HostHandlers {
  const projections = new Projections(store)
  return {
    ...datasetHandlers(store, sendEvent),
    ...dataViewHandlers(store),
    ...runHandlers(store, sendEvent),
    ...projectionHandlers(projections),
    ...runViewHandlers(store, (id, result) => projections.of(id, result)),
    ...exportHandlers(store, sendEvent),
    ...stepsHandlers(),
    ...benchmarkHandlers(store, sendEvent),
    ...generateHandlers(sendEvent),
    'engines.list': () => listEngines(),
    'host.ping': () => ({ pid: process.pid, node: process.version }),
  }
}
