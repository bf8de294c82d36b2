import { describe, expect, it } from 'vitest'
import { engines } from '@engine/engines'
import type { Coordinates, IterationStats } from '@engine/engines/engine'
import { CheckFailure } from './check'
import { checkSteps } from './check-step'
import { contenderOn, withFault, withFaultyStats } from './faulty-engine'
import { randomPoints, spreadRows } from './fixtures'
import { parityChecks } from './parity-checks'
import { referenceEngine } from './reference-engine'

const points = randomPoints({ n: 400, d: 3, seed: 1, blobs: 4 })
const step = { points, k: 4, centroids: spreadRows(points, 4) }

/** One coordinate off by some millionths of the range. */
function moved(centroids: Coordinates | null, at: number): Coordinates | null {
  return centroids?.map((value, other) => (other === at ? value + 1e-5 : value)) ?? null
}

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
    const wrong = withFault((read) => ({ ...read, inertia: (read.inertia ?? 0) * 1.001 }))
    await expect(checkSteps(contenderOn(wrong), step)).rejects.toThrow(/inertia of read/)
  })

  it.each([
    ['a centroid', /coordinate 5/, ({ centroids }) => ({ centroids: moved(centroids, 5) })],
    ['the inertia', /J\(i\)/, ({ inertia }) => ({ inertia: (inertia ?? 0) * 1.001 })],
    ['the squared shift', /squared shift/, ({ shiftSquared }) => ({ shiftSquared: shiftSquared * 1.001 })],
    ['the largest shift', /largest shift/, ({ maxShift }) => ({ maxShift: maxShift * 1.001 })],
    ['the largest coordinate shift', /coordinate shift/, () => ({ maxCoordinateShift: 0 })],
    ['the changed points', /changed points/, () => ({ changed: 399 })],
    ['the empty clusters', /empty clusters/, () => ({ emptyClusters: 1 })],
  ] satisfies [string, RegExp, (stats: IterationStats) => Partial<IterationStats>][])(
    'refuse an iteration that is wrong in %s',
    async (_, message, fault) => {
      const wrong = withFaultyStats((stats) => ({ ...stats, ...fault(stats) }))
      await expect(checkSteps(contenderOn(wrong), step)).rejects.toThrow(message)
    },
  )

  it('are the same for every variant, and have no two of one name', () => {
    const names = parityChecks(contenderOn(engines.cpu)).map(({ group, name }) => `${group}: ${name}`)
    expect(names.length).toBeGreaterThan(60)
    expect(new Set(names).size).toBe(names.length)
  })
})
