import { describe, expect, it } from 'vitest'
import { record, summary } from '../../test/fixtures'
import { formatBytes, formatCount, formatDuration, formatNumber, formatPlain, plural } from './numbers'
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

  it('chooses the unit of a duration and of a size', () => {
    expect(formatDuration(0.123)).toBe('0.12 ms')
    expect(formatDuration(12.3)).toBe('12 ms')
    expect(formatDuration(1500)).toBe('1.50 s')
    expect(formatDuration(61_000)).toBe('1 min 1 s')
    expect(formatBytes(512)).toBe('512 B')
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
    const gapped = whole.map((column, index) => ({ ...column, missing: index === 0 ? 1 : 0 }))
    expect(importGaps({ receipt, columns: gapped })).toBe('3 rows left out, 1 cell missing')
  })
})
