import { describe, expect, it } from 'vitest'
import { LabError } from '../errors'
import { filterText } from './filter-text'
import { parseFilter } from './parse-filter'
import { comparisons, type Condition, type RowFilter } from './row-filter'

const equal = (column: string, value: string): Condition => ({
  kind: 'compare',
  column,
  comparison: '=',
  value,
})

describe('a filter as it is written', () => {
  it('has every condition there is', () => {
    const text =
      'a = 1 and b != x and c < -1.5e3 and d <= 2 and e > 3 and f >= 4 and g between 1 and 2 and h in (x, y) and i contains z and j is missing and k is not missing'
    const { join, parts } = parseFilter(text)
    expect(join).toBe('all')
    expect(parts).toHaveLength(11)
    expect(parts[2]).toEqual({ kind: 'compare', column: 'c', comparison: '<', value: '-1.5e3' })
    expect(parts.slice(6)).toEqual([
      { kind: 'between', column: 'g', low: '1', high: '2' },
      { kind: 'one-of', column: 'h', values: ['x', 'y'] },
      { kind: 'contains', column: 'i', text: 'z' },
      { kind: 'missing', column: 'j' },
      { kind: 'present', column: 'k' },
    ])
  })

  it('takes signs as they are printed, words in any case, and no blanks', () => {
    expect(parseFilter('a≠1 AND b≤2 Or c<>3')).toEqual(parseFilter('(a != 1 and b <= 2) or c != 3'))
  })

  it('joins by and before or, and undoes brackets that change nothing', () => {
    expect(parseFilter('height > 1.5 and (class = a or class = b)')).toEqual({
      join: 'all',
      parts: [
        { kind: 'compare', column: 'height', comparison: '>', value: '1.5' },
        { join: 'any', conditions: [equal('class', 'a'), equal('class', 'b')] },
      ],
    })
    expect(parseFilter('a = 1 or b = 2 and c = 3').join).toBe('any')
    expect(parseFilter('((a = 1)) and ((b = 2 and (c = 3)))')).toEqual(
      parseFilter('a = 1 and b = 2 and c = 3'),
    )
    expect(parseFilter('((a = 1 or b = 2))')).toEqual({
      join: 'any',
      parts: [equal('a', '1'), equal('b', '2')],
    })
  })

  it('takes names and values with blanks, signs and meanings of their own in quotes', () => {
    expect(parseFilter(`"sepal length" = 'it''s' and "and" = "say ""a"""`)).toEqual({
      join: 'all',
      parts: [equal('sepal length', "it's"), equal('and', 'say "a"')],
    })
  })

  it.each([
    ['', 1, 'no condition'],
    ['a', 2, 'the end is there where a comparison'],
    ['a = ', 5, 'a value is expected'],
    ['a = 1 b = 2', 7, "'b' is there where 'and', 'or' or the end"],
    ['a = 1 and', 10, 'the name of a column is expected'],
    ['(a = 1', 1, 'the bracket is not closed'],
    ['a = 1)', 6, "')'"],
    ['a ! 1', 3, 'write != for other than'],
    ['a = "x', 5, 'is not closed'],
    ['a in x', 6, 'values in brackets'],
    ['a in (x', 6, 'the list of values is not closed'],
    ['a is empty', 6, "'missing' or 'not missing'"],
    ['a between 1 or 2', 13, "'or' is there where 'and'"],
    ['or = 1', 1, 'the name of a column'],
    ['a = 1 and (b = 2 or (c = 3 and d = 4))', 11, 'brackets within brackets'],
  ])('says where it cannot be read: %s', (text, at, what) => {
    const thrown = (() => {
      try {
        return parseFilter(text)
      } catch (error) {
        return error
      }
    })()
    expect(thrown).toBeInstanceOf(LabError)
    const { message, kind } = thrown as LabError
    expect(kind).toBe('input')
    expect(message).toContain(`cannot be read at character ${at}: `)
    expect(message).toContain(what)
    expect(message).toMatch(/^[^\n]+[^.]\.$/)
  })

  it('is read back from its own text, whatever stands in it', () => {
    const words = ['a', 'b c', 'and', "it's", '"', '', '(', 'x=1', '≤', 'not', ' ', 'größe', '-1e-5', ',']
    let state = 7
    const next = (most: number) => (state = (state * 16807) % 2147483647) % most
    const word = () => words[next(words.length)]
    const condition = (): Condition => {
      const column = word()
      const kinds: readonly Condition[] = [
        { kind: 'compare', column, comparison: comparisons[next(comparisons.length)], value: word() },
        { kind: 'between', column, low: word(), high: word() },
        { kind: 'one-of', column, values: Array.from({ length: 1 + next(3) }, word) },
        { kind: 'contains', column, text: word() },
        { kind: 'missing', column },
        { kind: 'present', column },
      ]
      return kinds[next(kinds.length)]
    }
    for (let i = 0; i < 300; i++) {
      const join = next(2) === 0 ? 'all' : 'any'
      const inner = join === 'all' ? 'any' : 'all'
      const part = () =>
        next(3) === 0
          ? ({ join: inner, conditions: Array.from({ length: 2 + next(2) }, condition) } as const)
          : condition()
      const filter: RowFilter = { join, parts: Array.from({ length: 2 + next(3) }, part) }
      expect(parseFilter(filterText(filter))).toEqual(filter)
    }
  })
})
