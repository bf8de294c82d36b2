import { expect, it } from 'vitest'
import { planNote } from './plan-note'
import type { SuiteConfig } from './suite'

const note = (stop: SuiteConfig['stop'], maxIterations: number) =>
  planNote({ stop, maxIterations } as SuiteConfig)

it('says that the iterations of a plan are a guess, unless they are fixed', () => {
  expect(note('none', 50)).toBe('Durations are for 50 iterations a run.')
  expect(note('relative-shift', 300)).toMatch(/assume 20 iterations; how many a run needs is known only/)
  expect(note('labels', 7)).toMatch(/assume 7 iterations/)
})
