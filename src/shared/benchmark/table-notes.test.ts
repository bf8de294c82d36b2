import { describe, expect, it } from 'vitest'
import { configurationLine } from './configuration-text'
import type { BenchmarkDocument } from './document'
import { markdownOf } from './markdown'
import { noisy, tableNotes } from './table-notes'
import { comparisonDocument } from './testing/document'

const document = comparisonDocument()
const scaled: BenchmarkDocument = { ...document, suite: { ...document.suite, scale: 0.05 } }
const fullSize = 'Published times are for the full size; here 0.05 times the points.'

/** The first rows have one repeat that took twice as long. */
function disturbed(rows: number): BenchmarkDocument {
  const slow = (totals: readonly number[]) => totals.map((ms, i) => (i === 0 ? 2 * ms : ms))
  const made = document.rows.map((row, i) => (i < rows ? { ...row, totalsMs: slow(row.totalsMs) } : row))
  return { ...document, rows: made }
}

describe('what stands above the table', () => {
  it('says that published times are for the full size where the points are fewer', () => {
    expect(tableNotes(scaled)).toContain(fullSize)
    expect(tableNotes(document)).not.toContain(fullSize)
  })

  it('says to what published speed-ups refer', () => {
    expect(tableNotes(document).join()).toContain('study’s own baseline')
  })

  it('warns when the times of a third of the rows are restless, and of no fewer', () => {
    const measured = document.rows.filter(({ state }) => state === 'measured').length
    expect(tableNotes(disturbed(1))).not.toContain(noisy())
    expect(tableNotes(disturbed(Math.ceil(measured / 3) + 1))).toContain(noisy())
  })

  it('says from which iteration on a case repeats itself, and nothing where the last one moved a centroid', () => {
    const still = (stillFrom: number) => {
      const rows = document.rows.map((row, i) => (i === 0 ? { ...row, iterations: 40, stillFrom } : row))
      return tableNotes({ ...document, rows }).filter((note) => note.startsWith('No centroid moves'))
    }
    const [{ dataset, k }] = document.rows
    expect(still(12)).toEqual([
      `No centroid moves any more from these iterations on: ${dataset}, k = ${k}: 12 of 40. Those after them repeat it, and a variant that notices saves their time.`,
    ])
    expect(still(40)).toEqual([])
  })

  it('stands in the tables of the report and of the Markdown as well, and the scale in every caption', () => {
    expect(markdownOf(scaled)).toContain(fullSize)
    expect(markdownOf(disturbed(document.rows.length))).toContain(noisy())
    expect(configurationLine(scaled)).toMatch(/^0\.05 times the points; start /)
    expect(configurationLine(document)).toMatch(/^start /)
  })
})
