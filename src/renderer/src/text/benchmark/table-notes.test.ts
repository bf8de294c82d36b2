import type { BenchmarkDocument } from '@shared/benchmark/document'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { describe, expect, it } from 'vitest'
import { noisy, placeWords, tableNotes } from './table-notes'

const document = comparisonDocument()

function scaledTo(name: string): BenchmarkDocument {
  const publication = document.suite.publication!
  const times = publication.times.map((time) => ({ ...time, dataset: name, speedup: null }))
  return { ...document, suite: { ...document.suite, publication: { ...publication, times } } }
}

/** The first rows have one repeat that took twice as long. */
function disturbed(rows: number): BenchmarkDocument {
  const slow = (totals: readonly number[]) => totals.map((ms, i) => (i === 0 ? 2 * ms : ms))
  const made = document.rows.map((row, i) => (i < rows ? { ...row, totalsMs: slow(row.totalsMs) } : row))
  return { ...document, rows: made }
}

describe('what stands above the table', () => {
  it.each(['2048 points x 0.05', '2048 points x 0.05, at least 500 for k = 500'])(
    'says of ‘%s’ that published times are for the full size',
    (name) => {
      expect(tableNotes(scaledTo(name))).toEqual([
        'Published times are for the full size; here 0.05 times the points.',
      ])
      expect(tableNotes(scaledTo('2048 points'))).toEqual([])
    },
  )

  it('says to what published speed-ups refer', () => {
    expect(tableNotes(document).join()).toContain('study’s own baseline')
  })

  it('warns when the times of a third of the rows are restless, and of no fewer', () => {
    const measured = document.rows.filter(({ state }) => state === 'measured').length
    expect(tableNotes(disturbed(1))).not.toContain(noisy)
    expect(tableNotes(disturbed(Math.ceil(measured / 3) + 1))).toContain(noisy)
  })

  it('knows no size of what could not be read', () => {
    expect(placeWords({ n: 0, d: 0, k: 3 })).toBe('size unknown, k = 3')
    expect(placeWords({ n: 205, d: 2, k: 256 })).toBe('N = 205, d = 2, k = 256')
  })
})
