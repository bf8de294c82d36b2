import { expect, it } from 'vitest'
import type { InitMethod } from '@shared/run-config'
import { nameOf } from '../auto/resolve'
import type { ResolvedRun } from '../run/types'
import { predictCellMs } from './predict'
import { fakeEngine, suiteOf } from './testing/fakes'

const device = { id: 'cpu', name: 'Reference', memoryBytes: null, software: false }
const run: ResolvedRun = { engine: fakeEngine({}), device, variant: 'fused' }
/** Nothing but products: 20 a nanosecond. */
const cost = {
  fixedMs: 0,
  perCoordinateMs: 0,
  perProductMs: 5e-8,
  onceMs: 0,
  openMs: 0,
  openPerCoordinateMs: 0,
  isRough: false,
}

/** What is foretold for the seedings of a cell with one run. */
function seedingMs(init: InitMethod, n: number, d: number, k: number): number {
  const cellMs = (how: InitMethod) => {
    const once = suiteOf(['fused'], { warmup: 0, repeats: 1 })
    const suite = { ...once, config: { ...once.config, init: how } }
    return predictCellMs(run, run, { [nameOf(run)]: cost }, { n, d, k }, suite) as number
  }
  return cellMs(init) - cellMs('first-k')
}

it('foretells that few centres take passes over all points, and late ones little', () => {
  // Measured beside 20 products a nanosecond, both within what the data decide.
  expect(seedingMs('k-means++', 1_000_000, 2, 10)).toBeGreaterThan(10)
  expect(seedingMs('k-means++', 1_000_000, 2, 10)).toBeLessThan(25)
  const growth = seedingMs('k-means++', 1_000_000, 8, 400) / seedingMs('k-means++', 1_000_000, 8, 60)
  // Of the products it would be eight times as much; without structure it was 2.6, with heaps 1.7.
  expect(growth).toBeGreaterThan(1.5)
  expect(growth).toBeLessThan(3)
  expect(seedingMs('random', 1_000_000, 8, 400)).toBe(0)
})
