import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { csvCell, csvForm, csvLine, csvNumber, freeName } from './csv-text'

const tricky = [
  'plain',
  'a,b',
  'say "hi"',
  'two\nlines',
  'cr\rhere',
  ' padded ',
  '',
  "it's",
  '-',
  'é€𝄞',
  '"',
  '1,5',
]

describe('cells and lines', () => {
  it('are read back unchanged by another parser', () => {
    const text = csvLine(tricky) + csvLine([...tricky].reverse())
    expect(Papa.parse(text.trimEnd()).data).toEqual([tricky, [...tricky].reverse()])
  })

  it('are quoted only where they must be', () => {
    expect(csvCell('5.1')).toBe('5.1')
    expect(csvCell('a;b')).toBe('a;b')
    expect(csvCell('a,b')).toBe('"a,b"')
  })

  it('keep a single empty cell apart from a blank line', () => {
    expect(csvLine([''])).toBe('""\n')
  })
})

describe('numbers', () => {
  it('read back to the same float64 and never show a negative zero', () => {
    for (const value of [0.1, 1 / 3, 1e300, -5e-324, 2 ** 53, 78.85566582597731, Math.fround(0.1)]) {
      expect(Number(csvNumber(value))).toBe(value)
    }
    expect(csvNumber(-0)).toBe('0')
    expect(csvNumber(5.1)).toBe('5.1')
  })

  it('leave a cell empty where there is no number', () => {
    expect([null, NaN, Infinity].map(csvNumber)).toEqual(['', '', ''])
  })
})

describe('a dialect', () => {
  it.each([
    ['semicolon', ';', ','],
    ['tab', '\t', '.'],
  ] as const)('%s parts cells, and has the decimal mark that goes with it', (dialect, separator, mark) => {
    const { line, number } = csvForm({ dialect })
    const cells = [...tricky, 'a;b', 'a\tb', number(-1.5e-7), number(12), number(null)]
    expect(Papa.parse(line(cells).slice(0, -1), { delimiter: separator }).data).toEqual([cells])
    expect(cells.slice(-3)).toEqual([`-1${mark}5e-7`, '12', ''])
  })
})

it('texts that a spreadsheet would carry out are text, where that is asked for', () => {
  const risky = ['=1+1', '+1', '-x', '@sum', '\tx', '\r=1']
  const harmless = ['x', '', ' =1', '1-2', "'=1", 'a=b']
  expect(risky.map(csvForm({ neutralise: true }).text)).toEqual(risky.map((text) => `'${text}`))
  expect(harmless.map(csvForm({ neutralise: true }).text)).toEqual(harmless)
  expect(risky.map(csvForm({}).text)).toEqual(risky)
})

it('a taken name gets the first free suffix', () => {
  expect(freeName('cluster', ['a', 'b'])).toBe('cluster')
  expect(freeName('cluster', ['cluster'])).toBe('cluster_1')
  expect(freeName('cluster', ['cluster', 'cluster_1'])).toBe('cluster_2')
})
