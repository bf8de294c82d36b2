import { comparisonDocument } from '@shared/benchmark/testing/document'
import { describe, expect, it } from 'vitest'
import { finerSentence, untimedSentence } from './timing-notes'

describe('the finer timing of a comparison', () => {
  it('was not there when totals were timed alone, and is called as where it is chosen', () => {
    expect(untimedSentence('phases', 'total')).toContain('No phases were timed: choose “Per phase”')
    expect(untimedSentence('iterations', 'total')).toContain('“Per iteration” or “Per phase”')
    expect(untimedSentence('phases', 'phases')).toBeNull()
  })

  it('has runs of its own, whose totals are held against those of the table', () => {
    const { rows } = comparisonDocument()
    const workload = { dataset: 'iris.csv', k: 3 }
    const mine = rows.filter(
      ({ dataset, k, contender }) =>
        dataset === workload.dataset && k === workload.k && contender.startsWith('cpu/'),
    )
    const [first, second] = mine.map((row, i) => ({
      ...row,
      totalsMs: [10, 10],
      phases: row.phases && { ...row.phases, totalMs: i === 0 ? 11 : 15 },
    }))
    expect(finerSentence({ rows: [first!] }, workload)).toBe(
      'Measured in separate runs: their total is 11.00 ms against a mean of 10.00 ms in the table.',
    )
    expect(finerSentence({ rows: [first!, second!] }, workload)).toContain(
      '15.00 ms against a mean of 10.00 ms',
    )
    expect(finerSentence({ rows: [first!] }, { ...workload, k: 4 })).toBeNull()
  })
})
