import { expect, it } from 'vitest'
import type { Publication, PublishedTime } from '@shared/benchmark/suite'
import { timesColumns } from './times-rows'

const time: PublishedTime = {
  ...{ dataset: 'a', k: 5, contender: 'cpu/sequential', system: 'C++', ms: 3, speedup: null },
}
const words = (times: readonly PublishedTime[]) => {
  const publication: Publication = { title: 'A study', hardware: '', note: '', times, ratios: [] }
  return timesColumns({ publication, scale: 1 }, 'Interval').map(({ key }) => key)
}

it('has the columns of a study only where it printed such numbers', () => {
  expect(words([])).not.toContain('published')
  expect(words([time])).toContain('published')
  expect(words([time])).not.toContain('published-speedup')
  expect(words([{ ...time, speedup: 2 }])).toContain('published-speedup')
})
