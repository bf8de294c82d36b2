import { describe, expect, it } from 'vitest'
import { parseFilter } from './parse-filter'
import { filterText, shortFilterText } from './filter-text'
import {
  countInRanges,
  parseRowRanges,
  rangesIntersection,
  rangesUnion,
  rowRanges,
  textOfRanges,
  type RowRanges,
} from './row-ranges'

const ranges = (text: string): RowRanges => {
  const read = parseRowRanges(text)
  if (read === null) throw new Error(`${text} are no ranges`)
  return read
}
const numbersOf = ({ first, last }: RowRanges): number[] =>
  Array.from(first, (from, i) => Array.from({ length: last[i] - from + 1 }, (_, at) => from + at)).flat()

describe('numbers of rows as text', () => {
  it('are ranges, and read back whatever their order', () => {
    expect(rowRanges([2, 3, 4, 7, 9, 10])).toBe('2-4,7,9-10')
    expect(numbersOf(ranges('9-10, 7,2-4,3-4'))).toEqual([2, 3, 4, 7, 9, 10])
    expect(rowRanges([])).toBe('')
    expect(countInRanges(ranges('2-4,7'))).toBe(4)
  })

  it('are refused where they are none', () => {
    for (const text of ['', 'a', '1,', ',1', '4-2', '1--2', '1.5', '-3', '12345678901'])
      expect(parseRowRanges(text), text).toBeNull()
  })

  it('of hundreds of thousands of rows too', () => {
    const numbers = Array.from({ length: 300_000 }, (_, i) => 2 + 2 * i)
    const text = rowRanges(numbers)
    expect(numbersOf(ranges(text))).toEqual(numbers)
    expect(parseRowRanges(`${text},x`)).toBeNull()
    expect(parseRowRanges(`${text},`)).toBeNull()
  })

  it('are joined and intersected as sets are', () => {
    const [a, b] = [ranges('1-5,9,12-20'), ranges('4-9,15,30')]
    expect(textOfRanges(rangesUnion(a, b))).toBe('1-9,12-20,30')
    expect(textOfRanges(rangesIntersection(a, b))).toBe('4-5,9,15')
  })
})

describe('a filter on row numbers', () => {
  it('is written and read beside other conditions', () => {
    const text = 'a > 1 and not rows(2-4,7) and rows(1-100)'
    const filter = parseFilter(text)
    expect(filter.parts.slice(1)).toEqual([
      { kind: 'not-rows', numbers: '2-4,7' },
      { kind: 'rows', numbers: '1-100' },
    ])
    expect(filterText(filter)).toBe(text)
    expect(parseFilter('NOT ROWS (3, 1-2)').parts).toEqual([{ kind: 'not-rows', numbers: '1-3' }])
  })

  it('leaves a column of that name alone', () => {
    expect(parseFilter('rows > 3').parts).toEqual([
      { kind: 'compare', column: 'rows', comparison: '>', value: '3' },
    ])
  })

  it('says what is wrong with it', () => {
    expect(() => parseFilter('rows(a)')).toThrow(/numbers and ranges/)
    expect(() => parseFilter('not rows(1')).toThrow(/not closed/)
    expect(() => parseFilter('not a > 1')).toThrow(/name of a column/)
  })

  it('is counted for the eye where it is long', () => {
    const numbers = rowRanges(Array.from({ length: 604 }, (_, i) => 2 * i))
    expect(shortFilterText({ join: 'all', parts: [{ kind: 'not-rows', numbers }] })).toBe(
      'not rows(604 of them)',
    )
  })
})
