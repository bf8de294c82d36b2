import { describe, expect, it } from 'vitest'
import type { BenchmarkDocument, Measurement } from './document'
import { markdownOf } from './markdown'
import { speedupTable } from './speedup-table'
import { tablesOf } from './tables'
import { comparisonDocument } from './testing/document'
import { timeTable } from './time-tables'

const document = comparisonDocument()
const noCuda = 'The cuda engine cannot be used: No NVIDIA GPU found: choose cpu or webgpu.'

function changed(change: (row: Measurement) => Partial<Measurement>): BenchmarkDocument {
  return { ...document, rows: document.rows.map((row) => ({ ...row, ...change(row) })) }
}

const without = (reason: string, contender: string) =>
  changed((row) =>
    row.contender === contender
      ? { state: 'skipped', reason, totalsMs: [], verification: null, perIterationMs: null }
      : {},
  )
const column = (found: BenchmarkDocument, table: typeof timeTable, at: number) =>
  table(found).rows.map((cells) => cells[at].text)

describe('in the place of a number stands', () => {
  it.each([
    [noCuda, 'not run: no CUDA here'],
    [
      'No python3 here has the module scipy: install python3-scipy to compare with scipy.',
      'skipped: no python3 here has the module scipy',
    ],
    ['k is 9 but a has only 5 points: choose a smaller k.', 'skipped: k is 9 but a has only 5 points'],
    [
      'It needs so much more memory on this device than what that device has free just now that it stops.',
      'skipped: it needs so much more memory on this device than what…',
    ],
  ])('for %s: %s', (reason, words) => {
    const skipped = without(reason, 'cuda:0/global-atomics')
    expect(new Set(column(skipped, timeTable, 6))).toEqual(new Set([words]))
    expect(new Set(column(skipped, speedupTable, 6))).toEqual(new Set([words]))
    expect(markdownOf(skipped)).toContain(`| ${words} |`)
    const whole = `cuda:0/global-atomics skipped: ${reason[0].toLowerCase()}${reason.slice(1, -1)} (everywhere).`
    expect(timeTable(skipped).notes).toContain(whole)
  })

  it.each([
    ['running', 'not yet'],
    ['paused', 'not yet: paused'],
    ['cancelled', 'cancelled before it'],
    ['interrupted', 'interrupted before it'],
  ] as const)('of a comparison that is %s: %s', (state, words) => {
    expect(
      timeTable({ ...document, state, rows: [] })
        .rows[0].slice(4)
        .map(({ text }) => text),
    ).toEqual(Array.from({ length: 4 }, () => words))
  })

  it('what keeps the baseline from counting', () => {
    expect(column(without(noCuda, 'cpu/sequential'), speedupTable, 5)[0]).toBe('baseline skipped')
    const unfinished = { ...document, state: 'running' as const, rows: document.rows.slice(1, 2) }
    expect(column(unfinished, speedupTable, 5)[0]).toBe('baseline not yet')
    const elsewhere = speedupTable(document, 'cpu/tbb').rows[0][5]
    expect(elsewhere.text).toBe('baseline not in this comparison')
  })
})

it('leaves no cell of measured values blank in any table', () => {
  const skipped = without(noCuda, 'cuda:0/global-atomics')
  for (const found of [
    skipped,
    { ...skipped, state: 'cancelled' as const, rows: skipped.rows.slice(0, 5) },
  ]) {
    for (const { title, columns, rows } of tablesOf(found)) {
      const at = columns.flatMap(({ header, unit }, i) =>
        unit !== null && /^(cpu|cuda|outside|median|measured)/.test(header) ? [i] : [],
      )
      const blank = rows.flatMap((cells) => at.filter((i) => ['', '–'].includes(cells[i].text)))
      expect(blank, title).toEqual([])
    }
  }
})

it('tells a reason once for all whom it keeps out', () => {
  const both = changed((row) =>
    row.engine === 'cuda' || row.variant === 'fused'
      ? { state: 'skipped', reason: noCuda, totalsMs: [], verification: null }
      : {},
  )
  const notes = timeTable(both).notes.filter((note) => note.includes('No NVIDIA'))
  expect(notes).toEqual([
    `cpu/fused, cuda:0/global-atomics skipped: the cuda engine cannot be used: No NVIDIA GPU found: choose cpu or webgpu (everywhere).`,
  ])
})
