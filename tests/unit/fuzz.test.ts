import { afterEach, expect, it, vi } from 'vitest'
import { csvTarget } from '../fuzz/csv'
import { ipcTarget } from '../fuzz/ipc'
import { fuzz, type Target } from '../fuzz/target'

vi.mock('electron', () => import('../fuzz/electron'))

/** A fixed budget; `npm run fuzz` goes on for as long as one likes. */
const seconds = { csv: 20, ipc: 8 }
let target: Target

afterEach(() => target.close())

it.each([
  [
    'tables for the reader',
    csvTarget,
    seconds.csv,
    ['loaded', 'loaded, with doubtful quotes', 'csv.ragged', 'csv.nul'],
  ],
  ['messages for every handler', ipcTarget, seconds.ipc, ['granted', 'argument', 'file.unknown']],
])(
  'spoiled %s are loaded, carried out or refused in one sentence, and nothing else',
  async (_what, make, budget, seen) => {
    target = await make('examples')
    const { cases, outcomes, faults } = await fuzz(target, { firstSeed: 1, seconds: budget })
    expect(faults).toEqual([])
    expect(cases).toBeGreaterThan(50)
    for (const outcome of seen) expect(Object.keys(outcomes)).toContain(outcome)
  },
)

it('a fault of a target is reported with its seed', async () => {
  target = {
    tryCase: (seed) => (seed === 3 ? Promise.reject(new TypeError('broken')) : Promise.resolve('fine')),
    close: () => Promise.resolve(),
  }
  const { faults, outcomes } = await fuzz(target, { firstSeed: 1, seconds: 0.05 })
  expect(faults).toMatchObject([{ seed: 3, message: expect.stringContaining('broken') }])
  expect(outcomes).toHaveProperty('fine')
})
