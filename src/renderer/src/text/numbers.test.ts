import { describe, expect, it } from 'vitest'
import { record, summary } from '../../test/fixtures'
import {
  columnFormat,
  decimalsOf,
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  formatPlain,
  padDecimals,
  plural,
} from './numbers'
import { importGaps, stopSentence } from './words'

describe('numbers as they are shown', () => {
  it('groups thousands', () => {
    expect(formatCount(1204)).toBe('1\u202f204')
    expect(formatCount(100)).toBe('100')
    expect(plural(1, 'row')).toBe('1 row')
    expect(plural(1_000_000, 'row')).toBe('1\u202f000\u202f000 rows')
  })

  it('keeps four significant digits', () => {
    expect(formatNumber(78.85566)).toBe('78.86')
    expect(formatNumber(0.000012345)).toBe('1.234e-5')
    expect(formatNumber(-123456.7)).toBe('-123\u202f457')
    expect(formatNumber(6e23)).toBe('6.000e+23')
    expect(formatNumber(null)).toBe('–')
    expect(formatPlain(2)).toBe('2')
    expect(formatPlain(0.1)).toBe('0.1')
  })

  it.each([
    [9_999_999, '9\u202f999\u202f999'],
    [-9_999_999.4, '-9\u202f999\u202f999'],
    [9_999_999.5, '1.000e+7'],
    [1e7, '1.000e+7'],
    [-12_345_678, '-1.235e+7'],
    [1000, '1\u202f000'],
    [999.96, '1\u202f000'],
    [999.94, '999.9'],
    [0.0001, '0.0001000'],
    [0.00009999996, '0.0001000'],
    [0.0000999, '9.990e-5'],
  ])('shows %d with the notation of its size', (value, text) => {
    expect(formatNumber(value)).toBe(text)
  })

  it('shows a column in one notation', () => {
    const large = columnFormat([12.5, null, 9_500_000, 12_345_678, 0])
    expect([12.5, null, 9_500_000, 12_345_678, 0].map(large)).toEqual([
      ...['1.250e+1', '–', '9.500e+6', '1.235e+7', '0'],
    ])
    const tiny = columnFormat([2e-7, 3.5e-9])
    expect([2e-7, 3.5e-9, 0].map(tiny)).toEqual(['2.000e-7', '3.500e-9', '0'])
  })

  it('aligns the decimals of a column', () => {
    const plain = columnFormat([12.5, 9_500_000, 1e-9, NaN, Infinity])
    expect([12.5, 9_500_000, 1e-9, NaN].map(plain)).toEqual(['13', '9\u202f500\u202f000', '0', '–'])
    const petals = [5.006, 0.246, -0.00001, 9.99996]
    expect(petals.map(columnFormat(petals))).toEqual(['5.01', '0.25', '0.00', '10.00'])
    const small = [0.0312, 0.5]
    expect(small.map(columnFormat(small))).toEqual(['0.0312', '0.5000'])
  })

  it('puts the decimal points of unlike numbers below each other, with all their digits', () => {
    const texts = [0.01234, 12.5, 12_345].map(formatNumber)
    const most = Math.max(...texts.map(decimalsOf))
    expect(most).toBe(5)
    const padded = texts.map((text) => padDecimals(text, most))
    expect(padded.map((text) => text.trimEnd())).toEqual(texts)
    // What stands behind the whole part is as wide everywhere: a point or its space, and five figures.
    expect(padded.map((text) => text.length - (text.split(/[.\u2008]/)[0]?.length ?? 0))).toEqual([6, 6, 6])
    expect(padDecimals('–', 3)).toBe('–')
  })

  it('chooses the unit of a duration and of a size', () => {
    expect(formatDuration(0.00043)).toBe('0.43 µs')
    expect(formatDuration(0)).toBe('0.0 ms')
    expect(formatDuration(0.123)).toBe('0.12 ms')
    expect(formatDuration(12.3)).toBe('12 ms')
    expect(formatDuration(1500)).toBe('1.50 s')
    expect(formatDuration(61_000)).toBe('1 min 1 s')
    expect(formatBytes(512)).toBe('512 B')
    expect(formatBytes(102_262)).toBe('100 KiB')
    expect(formatBytes(5 * 2 ** 20)).toBe('5.0 MiB')
  })
})

describe('why a run stopped', () => {
  it('names the rule and its tolerance', () => {
    expect(stopSentence(record())).toContain('the shift fell to 0.0001 × mean variance')
    expect(stopSentence(record({ stopped: 'labels', tolerance: 0 }))).toContain('no point changed cluster')
  })

  it('says at the limit that it has not converged', () => {
    const sentence = stopSentence(record({ stopped: 'max-iterations', converged: false, iterations: 300 }))
    expect(sentence).toBe('Reached the iteration limit after 300 iterations and has not converged.')
  })
})

describe('what an import left out', () => {
  it('is said in numbers, and not at all when nothing was left out', () => {
    const { receipt, columns } = summary()
    const whole = columns.map((column) => ({ ...column, missing: 0 }))
    expect(importGaps({ receipt, columns: whole })).toBe('3 rows left out')
    expect(importGaps({ receipt: { ...receipt, tooLong: 0, tooShort: 0 }, columns: whole })).toBe('')
    const doubtful = { ...receipt, tooLong: 0, tooShort: 0, doubtfulRows: 2 }
    expect(importGaps({ receipt: doubtful, columns: whole })).toBe('2 rows with doubtful quotes')
    const gapped = whole.map((column, index) => ({ ...column, missing: index === 0 ? 1 : 0 }))
    expect(importGaps({ receipt, columns: gapped })).toBe('3 rows left out, 1 missing cell')
    const otherwise = {
      ...receipt,
      tooLong: 0,
      tooShort: 0,
      findings: ['read as Latin-1', 'mixed line ends'],
    }
    expect(importGaps({ receipt: otherwise, columns: whole })).toBe('Read as Latin-1, mixed line ends')
  })
})
