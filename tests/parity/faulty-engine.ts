import { labelUnits } from '@engine/benchmark/exactness'
import type { Engine, IterationStats, ReadResult, Session } from '@engine/engines/engine'
import { inertiaBounds, type Contender } from './contenders'
import { referenceEngine } from './reference-engine'

/** The engine as the suite would find it. */
export function contenderOn(engine: Engine): Contender {
  const device = { id: 'cpu', name: 'Reference', memoryBytes: null, software: false }
  const bounds = { labelUnit: labelUnits.cpu, inertiaBound: inertiaBounds.cpu, maxWork: 2e8 }
  return { name: 'reference', engine, device, variant: 'sequential', deterministic: true, ...bounds }
}

/** The reference with a fault in what it reads. */
export function withFault(fault: (read: ReadResult) => ReadResult): Engine {
  return engineWith((session) => ({ read: async () => fault(await session.read()) }))
}

/** The reference with a fault in what it says of an iteration. */
export function withFaultyStats(fault: (stats: IterationStats) => IterationStats): Engine {
  return engineWith((session) => ({
    advance: async (...request) => (await session.advance(...request)).map(fault),
  }))
}

function engineWith(faults: (session: Session) => Partial<Session>): Engine {
  return {
    ...referenceEngine,
    open: async (...request) => {
      const session = await referenceEngine.open(...request)
      const faulty = faults(session)
      return new Proxy(session, {
        get: (target, name: keyof Session) => {
          const value = faulty[name] ?? target[name]
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }
}
