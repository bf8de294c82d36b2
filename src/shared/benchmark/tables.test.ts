import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown'
import { machineDescription } from './machine-text'
import { significant } from './significant'
import { speedupTable } from './speedup-table'
import { tablesOf } from './tables'
import { comparisonDocument, scalingDocument } from './testing/document'
import { statisticsTable, timeTable } from './time-tables'

const document = comparisonDocument()

describe('tables', () => {
  it('have a row for each dataset and k and a column for each contender, with units', () => {
    const { columns, rows } = timeTable(document)
    expect(columns.slice(4).map(({ header, unit }) => `${header} ${unit}`)).toEqual([
      'cpu/sequential ms',
      'cpu/fused ms',
      'cuda:0/global-atomics ms',
      'outside/numpy ms',
    ])
    expect(rows.map((cells) => cells[0].text + cells[3].text)).toEqual([
      'uniform 100k5',
      'uniform 100k10',
      'iris.csv3',
      'iris.csv6',
    ])
    expect(rows[0][5]).toMatchObject({ text: '9.520', state: 'measured', best: false })
    expect(rows[0][6]).toMatchObject({ text: '1.920', best: true })
  })

  it('show a contender that disagrees with its time and its state, and no speed-up', () => {
    const time = timeTable(document).rows[2][6]
    expect(time).toMatchObject({ text: '0.4000', state: 'disagrees', best: false })
    expect(time.note).toContain('12 of 150')
    expect(speedupTable(document).rows[2][6]).toMatchObject({
      text: 'disagrees',
      value: null,
      state: 'disagrees',
    })
    expect(speedupTable(document).rows[3][7].text).toBe('skipped: python3 has no numpy here')
  })

  it('name the regime beside the contender and say below why it was taken', () => {
    const statistics = tablesOf(document).find(({ title }) => title.includes('all statistics'))
    expect(statistics?.columns.slice(4, 8).map(({ header }) => header)).toEqual([
      'contender',
      'regime',
      'precision',
      'device',
    ])
    const because = 'Few centroids: every distance is computed.'
    expect(statistics?.rows[1][5]).toMatchObject({ text: 'tiled', note: because })
    expect(statistics?.rows[3][5]).toMatchObject({ text: '–', note: null })
    expect(statistics?.notes).toContain(`cpu/fused, tiled: ${because}`)
    expect(markdownOf(document)).toContain('| cpu/fused | tiled | float32 | cpu |')
  })

  it('name of the phases the regime of the runs that were timed this finely', () => {
    const timed = document.rows.map((row) =>
      row.variant === 'fused' ? { ...row, phasesRegime: 'message-passing' } : row,
    )
    const phases = tablesOf({ ...document, rows: timed }).find(({ title }) => title.startsWith('Phases'))
    expect(phases?.rows[1][5]).toMatchObject({ text: 'message-passing', note: null })
  })

  it('say why one repeat has no standard deviation', () => {
    const once = {
      ...document,
      rows: document.rows.map((row) => ({ ...row, totalsMs: row.totalsMs.slice(0, 1) })),
    }
    const notes = (of: typeof document) => statisticsTable(of).notes.join()
    expect(notes(once)).toContain('(–: one repeat has none)')
    expect(notes(document)).not.toContain('one repeat')
  })

  it('put published figures beside the measured ones, the engine standing for its device', () => {
    const published = tablesOf(document).find(({ title }) => title.startsWith('Example 2017'))
    expect(published?.rows[1].map(({ text }) => text)).toEqual([
      ...[
        'uniform 100k',
        '100\u202f000',
        '5',
        'CUDA 1',
        'cuda:0/global-atomics',
        '8.100',
        '1.920',
        '51.00',
        '62.51',
      ],
    ])
    expect(published?.notes[0]).toBe('Published on: a GeForce of 2013.')
  })

  it('say of cells that are not finished that they are not yet', () => {
    const running = { ...document, state: 'running' as const, rows: document.rows.slice(0, 2) }
    expect(
      timeTable(running)
        .rows[0].slice(4)
        .map(({ text }) => text),
    ).toEqual(['120.0', '9.520', 'not yet', 'not yet'])
  })
})

describe('numbers in tables', () => {
  it('have four significant digits', () => {
    expect([1.2, 12345.6, 0.00123456, 0, null, 3.5e10, 1e-7].map(significant)).toEqual([
      ...['1.200', '12350', '0.001235', '0', '–', '3.500e10', '1.000e-7'],
    ])
  })
})

describe('Markdown', () => {
  const text = markdownOf({ ...document, suite: { ...document.suite, name: 'a | b <b>' } })

  it('names machine, driver, flags and date under every table', () => {
    const tables = text.split('### ').slice(1)
    expect(tables.length).toBeGreaterThan(5)
    for (const table of tables) {
      for (const fact of ['Xeon', 'NVIDIA H200', '550.54', '-O3', '2026-11-21', 'after 20 iterations']) {
        expect(table).toContain(fact)
      }
    }
  })

  it('keeps every row as wide as its header and lets no name break it', () => {
    expect(text).toContain('a \\| b \\<b\\>')
    const widths = text
      .split('### ')[1]
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split(' | ').length)
    expect(new Set(widths).size).toBe(1)
  })

  it('marks what disagrees and tells the crossing of a sweep', () => {
    expect(text).toContain('~~0.4000~~ (disagrees)')
    expect(markdownOf(scalingDocument())).toContain('cuda:0/global-atomics overtakes cpu/fused at N ≈ 100')
  })
})

it('describes the machine without what is not known', () => {
  const { machine } = document
  const names = machineDescription({ ...machine, devices: [], versions: {} }, 'no date').map(
    ({ name }) => name,
  )
  expect(names).toEqual(['CPU', 'Memory', 'Operating system', 'Date'])
})
