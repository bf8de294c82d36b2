import { expect, it } from 'vitest'
import { iterationNotes } from './iteration-notes'
import { comparisonDocument } from './testing/document'

it('tells where times stand for different numbers of iterations', () => {
  const document = comparisonDocument()
  expect(iterationNotes(document, 'cpu/sequential')).toEqual([])
  const rows = document.rows.map((row) =>
    row.contender === 'outside/numpy' ? { ...row, iterations: 7 } : row,
  )
  const [note, ...others] = iterationNotes({ ...document, rows }, 'cpu/sequential')
  const { iterations } = document.rows[0]
  expect(others).toEqual([])
  expect(note).toMatch(
    /^outside\/numpy made another number of iterations than cpu\/sequential \(uniform 100k, k = 5: 7/,
  )
  expect(note).toContain(`7 instead of ${iterations}`)
  // What was skipped made none, which is no difference to tell of.
  expect(note).not.toContain('iris.csv, k = 6')
})
