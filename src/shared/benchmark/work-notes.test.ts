import { expect, it } from 'vitest'
import { workNotes } from './work-notes'
import { comparisonDocument } from './testing/document'

it('tells where times stand for slightly different numbers of iterations', () => {
  const document = comparisonDocument()
  expect(workNotes(document, 'cpu/sequential')).toEqual([])
  const rows = document.rows.map((row) =>
    row.contender === 'outside/numpy' ? { ...row, iterations: 19 } : row,
  )
  const [note, ...others] = workNotes({ ...document, rows }, 'cpu/sequential')
  const { iterations } = document.rows[0]
  expect(others).toEqual([])
  expect(note).toMatch(
    /^outside\/numpy made another number of iterations than cpu\/sequential \(uniform 100k, k = 5: 19/,
  )
  expect(note).toContain(`19 instead of ${iterations}`)
  // What was skipped made none, which is no difference to tell of.
  expect(note).not.toContain('iris.csv, k = 6')
})

it('tells once why there is no speed-up where the iterations differ by more than a tenth', () => {
  const document = comparisonDocument()
  const rows = document.rows.map((row) => (row.contender === 'cpu/fused' ? { ...row, iterations: 300 } : row))
  expect(workNotes({ ...document, rows }, 'cpu/sequential')).toEqual([
    'cpu/fused has no speed-up where it made another number of iterations than cpu/sequential (uniform 100k, k = 5: 300 instead of 20; uniform 100k, k = 10: 300 instead of 20; iris.csv, k = 3: 300 instead of 20; iris.csv, k = 6: 300 instead of 20): compare the times per iteration.',
  ])
})

it('tells that a baseline from outside was given the start which the others looked for', () => {
  const document = comparisonDocument()
  const { suite } = document
  const seeded = { ...suite, config: { ...suite.config, init: 'k-means++' as const } }
  expect(workNotes({ ...document, suite: seeded }, 'cpu/sequential')).toEqual([
    "outside/numpy began at the start that was given: the others' times hold k-means++ (phase init), and these do not.",
  ])
  const rows = document.rows.filter(({ engine }) => engine !== null)
  expect(workNotes({ ...document, rows, suite: seeded }, 'cpu/sequential')).toEqual([])
})

it('tells it in one sentence of a contender, whatever numbers it made', () => {
  const document = comparisonDocument()
  const rows = document.rows.map((row) =>
    row.contender === 'cpu/fused' ? { ...row, iterations: 200 + row.k } : row,
  )
  const notes = workNotes({ ...document, rows }, 'cpu/sequential')
  expect(notes.filter((note) => note.startsWith('cpu/fused'))).toHaveLength(1)
  expect(notes[0]).toContain('k = 5: 205 instead of 20; uniform 100k, k = 10: 210 instead of 20')
})
