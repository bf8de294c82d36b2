import type { Engine, ReadResult, Session } from '@engine/engines/engine'
import type { Contender } from './contenders'
import { referenceEngine } from './reference-engine'

/** The engine as the suite would find it. */
export function contenderOn(engine: Engine): Contender {
  const device = { id: 'cpu', name: 'Reference', memoryBytes: null, software: false }
  const bounds = { labelUnit: 2 ** -23, inertiaBound: 1e-9, mostWork: 2e8 }
  return { name: 'reference', engine, device, variant: 'sequential', deterministic: true, ...bounds }
}

/** The reference with a fault in what it reads. */
export function withFault(fault: (read: ReadResult) => ReadResult): Engine {
  return {
    ...referenceEngine,
    open: async (...request) => {
      const session = await referenceEngine.open(...request)
      const faulty: Partial<Session> = { read: async () => fault(await session.read()) }
      return new Proxy(session, {
        get: (target, name: keyof Session) => {
          const value = faulty[name] ?? target[name]
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }
}
