import { describe, expect, it } from 'vitest'
import { engines } from '@engine/engines'
import type { Engine, ReadResult, Session } from '@engine/engines/engine'
import { CheckFailure } from './check'
import { checkSteps } from './check-step'
import type { Contender } from './contenders'
import { randomPoints, spreadRows } from './fixtures'
import { parityChecks } from './parity-checks'
import { referenceEngine } from './reference-engine'

const points = randomPoints({ n: 400, d: 3, seed: 1, blobs: 4 })
const step = { points, k: 4, centroids: spreadRows(points, 4) }

describe('the checks of parity', () => {
  it('pass what is right', async () => {
    await expect(checkSteps(against(referenceEngine), step)).resolves.toHaveLength(12)
  })

  it('refuse one wrong label', async () => {
    const wrong = changed(({ labels, ...read }) => ({
      ...read,
      labels: labels.map((label, i) => (i === 7 ? (label + 1) % 4 : label)),
    }))
    await expect(checkSteps(against(wrong), step)).rejects.toThrow(CheckFailure)
  })

  it('refuse an inertia that is off', async () => {
    const wrong = changed((read) => ({ ...read, inertia: read.inertia * 1.001 }))
    await expect(checkSteps(against(wrong), step)).rejects.toThrow(/inertia of read/)
  })

  it('are the same for every variant, and have no two of one name', () => {
    const names = parityChecks(against(engines.cpu)).map(({ group, name }) => `${group}: ${name}`)
    expect(names.length).toBeGreaterThan(60)
    expect(new Set(names).size).toBe(names.length)
  })
})

function against(engine: Engine): Contender {
  const device = { id: 'cpu', name: 'Reference', memoryBytes: null, software: false }
  const bounds = { labelUnit: 2 ** -23, inertiaBound: 1e-9, mostWork: 2e8 }
  return { name: 'reference', engine, device, variant: 'sequential', deterministic: true, ...bounds }
}

/** The reference with a fault in what it reads. */
function changed(fault: (read: ReadResult) => ReadResult): Engine {
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
