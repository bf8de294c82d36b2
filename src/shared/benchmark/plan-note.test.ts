import { expect, it } from 'vitest'
import { planNote } from './plan-note'
import type { SuiteConfig } from './suite'

const note = (stop: SuiteConfig['stop'], maxIterations: number) =>
  planNote({ config: { stop, maxIterations } as SuiteConfig })

it('says that the iterations of a plan are a guess, unless they are fixed', () => {
  expect(note('none', 50)).toBe('Durations are for 50 iterations a run.')
  expect(note('relative-shift', 300)).toMatch(/assume 20 iterations; how many a run needs is known only/)
  expect(note('labels', 7)).toMatch(/assume 7 iterations/)
})

it('says what a limit does not hold, and that cells may have fewer iterations', () => {
  const config = { stop: 'none', maxIterations: 50 } as SuiteConfig
  expect(planNote({ config, maxCellSeconds: 2 })).toBe(
    'Durations are for 50 iterations a run, or for the fewer that a cell names. The first contender of each dataset and k also takes what all are checked against, beyond its limit.',
  )
})
