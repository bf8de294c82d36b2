import { describe, expect, it } from 'vitest'
import { inOneUnit, limitNotes, limitText, notRunWords, scaledNote } from './cell-limit'
import { configurationLine } from './configuration-text'
import { figuresOf } from './figures'
import { markdownOf } from './markdown'
import { publishedTable } from './published-table'
import { speedupList } from './speedup-list'
import { speedupsOf } from './speedups'
import { speedupTable } from './speedup-table'
import { tablesOf } from './tables'
import { comparisonDocument } from './testing/document'
import { limitedDocument } from './testing/limited-document'
import { timeTable } from './time-tables'

const document = limitedDocument()
const table = (title: string) => tablesOf(document).find((one) => one.title.startsWith(title))

describe('a duration of a limit', () => {
  it.each([
    [500, '0.5 s'],
    [40_000, '40 s'],
    [600_000, '10 min'],
    [1_470_000, '25 min'],
    [5_400_000, '90 min'],
    [13.4 * 3_600_000, '14 h'],
  ])('of %d ms is %s', (ms, words) => expect(inOneUnit(ms)).toBe(words))
})

describe('a limit', () => {
  it.each([
    [500, '0.5 s'],
    [130_000, '130 s'],
    [600_000, '10 min'],
    [7_200_000, '2 h'],
  ])('of %d ms is %s', (ms, words) => expect(limitText(ms)).toBe(words))
})

describe('a cell that is not run', () => {
  it('says so in the place of its time and of its speed-up', () => {
    const words = 'not run: 14 h predicted on 16 threads'
    expect(timeTable(document).rows[3][7]).toMatchObject({ text: words, value: null })
    expect(speedupTable(document).rows[3][7].text).toBe(words)
    expect(speedupTable(document, 'outside/numpy').rows[3][5].text).toBe(`baseline ${words}`)
    expect(timeTable({ ...document, rows: [] }).rows[3][7].text).toBe(words)
  })

  it('stands below the tables with its kind, whatever its own duration', () => {
    const note = 'outside/numpy not run: too long; the limit of a cell is 10 min (iris.csv, k = 6).'
    expect(timeTable(document).notes).toContain(note)
  })

  it('is told from what is skipped for another reason', () => {
    expect(notRunWords('The device is lost.')).toBeNull()
  })
})

describe('a time that is scaled from fewer iterations', () => {
  const from = 'from 5 of 20 iterations'

  it('is marked in every table, never the best, and explained', () => {
    expect(timeTable(document).rows[0][4]).toMatchObject({
      ...{ text: `≈ 120.0 ${from}`, value: 120, best: false },
      around: { before: '≈ ', after: ` ${from}` },
    })
    expect(timeTable(document).notes).toContain(scaledNote())
    const statistics = table('Execution times (all')?.rows[0].map(({ text }) => text)
    expect(statistics?.slice(8, 16)).toEqual(
      ['5 of 20', '1', '≈ 120.0', '≈ 120.0', '–', '≈ 120.0', '≈ 120.0', '5.401'], // prettier-ignore
    )
    const phases = table('Phases')?.rows[0].map(({ text }) => text)
    expect(phases?.slice(7, 10)).toEqual(['4.801', '1.200', '≈ 72.01'])
    expect(phases?.at(-1)).toMatch(/^≈ /)
    expect(publishedTable(document)?.rows[0][6].text).toBe(`≈ 120.0 ${from}`)
  })

  it('marks the speed-ups that it is part of', () => {
    const [base, fused] = speedupTable(document).rows[0].slice(4)
    expect(base.text).toBe('1.000')
    expect(fused.text).toMatch(/^≈ ~12\.\d+ over 5 of 20 iterations$/)
    const [, other] = speedupTable(document, 'cpu/fused').rows[0].slice(3)
    expect(other.text).toMatch(/^≈ ~0\.0\d+ from 5 of 20 iterations$/)
    expect(speedupList(document).rows[1][6].text).toMatch(/^≈ 12\.\d+ over 5 of 20/)
    expect(speedupsOf(document).map(({ scaled }) => scaled)).toContain('over 5 of 20 iterations')
    expect(speedupsOf(comparisonDocument()).every(({ scaled }) => scaled === null)).toBe(true)
  })

  it('is not compared with a reference that made them all', () => {
    const row = table('Agreement')?.rows[0].map(({ text }) => text)
    const words = 'not compared: 5 of 20 iterations'
    expect(row?.slice(7, 9)).toEqual([words, words])
    expect(row?.slice(10, 13)).toEqual(['5 of 20', '20', '–'])
  })

  it('is marked in Markdown and in the plots', () => {
    expect(markdownOf(document)).toContain(`| ≈ 120.0 ${from} |`)
    const { times, speedups, phases } = figuresOf(document, 'cpu/sequential')
    expect(times[0].svg).toContain(`≈ 120.0 ms ${from}`)
    expect(speedups[0].svg).toMatch(/≈ ~12\.\d+× over 5 of 20 iterations/)
    expect(phases[0].svg).toContain('≈ ')
  })
})

describe('below a table', () => {
  it('stands what was made within the limit', () => {
    expect(limitNotes(document)).toEqual([
      scaledNote(),
      'Within the limit of 10 min a cell: 5 of 20 iterations, 1 of 5 repeats, no warm-up: cpu/sequential (uniform 100k, k = 5).',
      'Within the limit of 10 min a cell: 2 of 5 repeats, no warm-up: cpu/fused (uniform 100k, k = 5).',
    ])
    expect(configurationLine(document)).toContain('5 repeats, interleaved, at most 10 min a cell;')
  })

  it('stands that a cell was ended before all its repeats', () => {
    const rows = document.rows.map((row) =>
      row.contender === 'cpu/fused' ? { ...row, totalsMs: row.totalsMs.slice(0, 1) } : row,
    )
    expect(limitNotes({ ...document, rows }).join('\n')).toContain('1 of 5 repeats, no warm-up, then ended')
  })

  it('stands nothing of it without a limit', () => {
    const plain = comparisonDocument()
    expect(limitNotes(plain)).toEqual([])
    expect(markdownOf(plain)).not.toMatch(/≈|limit/)
  })
})
