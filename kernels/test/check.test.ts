import { describe, expect, it } from 'vitest'
import { engines } from '@engine/engines'
import { CheckFailure } from './check'
import { checkSteps } from './check-step'
import { contenderOn, withFault } from './faulty-engine'
import { randomPoints, spreadRows } from './fixtures'
import { parityChecks } from './parity-checks'
import { referenceEngine } from './reference-engine'

const points = randomPoints({ n: 400, d: 3, seed: 1, blobs: 4 })
const step = { points, k: 4, centroids: spreadRows(points, 4) }

describe('the checks of parity', () => {
  it('pass what is right', async () => {
    await expect(checkSteps(contenderOn(referenceEngine), step)).resolves.toHaveLength(12)
  })

  it('refuse one wrong label', async () => {
    const wrong = withFault(({ labels, ...read }) => ({
      ...read,
      labels: labels.map((label, i) => (i === 7 ? (label + 1) % 4 : label)),
    }))
    await expect(checkSteps(contenderOn(wrong), step)).rejects.toThrow(CheckFailure)
  })

  it('refuse an inertia that is off', async () => {
    const wrong = withFault((read) => ({ ...read, inertia: read.inertia * 1.001 }))
    await expect(checkSteps(contenderOn(wrong), step)).rejects.toThrow(/inertia of read/)
  })

  it('are the same for every variant, and have no two of one name', () => {
    const names = parityChecks(contenderOn(engines.cpu)).map(({ group, name }) => `${group}: ${name}`)
    expect(names.length).toBeGreaterThan(60)
    expect(new Set(names).size).toBe(names.length)
  })
})
