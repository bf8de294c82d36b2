import { describe, expect, it } from 'vitest'
import { findWrittenForm, readWritten, writtenWords, type WrittenForm } from './written-number'

const read = (cells: readonly string[], decimal: '.' | ',' = '.'): readonly (number | null)[] | null => {
  const form = findWrittenForm(cells, decimal)
  return form && cells.map((cell) => readWritten(cell, form))
}

describe('a column of numbers as people write them', () => {
  it.each<[string, readonly string[], readonly number[]]>([
    [
      'points between thousands',
      ['1.580,30', '2.117,00', '9.000.000,1', '12,5'],
      [1580.3, 2117, 9000000.1, 12.5],
    ],
    ['commas between thousands', ['1,580.30', '950', '1,000,000'], [1580.3, 950, 1e6]],
    ['blanks between thousands', ['1 580,30', '2 117', '9 000 000,1'], [1580.3, 2117, 9000000.1]],
    ['narrow blanks', ['1\u202f580', '2\u00a0117', '12'], [1580, 2117, 12]],
    ['apostrophes', ["1'580.5", '2’117', '12'], [1580.5, 2117, 12]],
    ['a currency before', ['$1,200.50', '$ 3', '-$4.25', '$-7'], [1200.5, 3, -4.25, -7]],
    ['a currency behind', ['1.200,50 €', '3 €', '−4,25 €'], [1200.5, 3, -4.25]],
    ['a code', ['EUR 12', 'EUR 7.5', 'EUR 1,000'], [12, 7.5, 1000]],
    ['per cent', ['12 %', '7.5%', '+3 %'], [12, 7.5, 3]],
    ['one unit', ['12 kg', '9kg', '11.5 kg', '1e3 kg'], [12, 9, 11.5, 1000]],
    ['a unit that one cell lacks', ['12 km/h', '9', '11.5 km/h'], [12, 9, 11.5]],
  ])('%s', (_, cells, values) => {
    expect(read(cells)).toEqual(values)
  })

  it.each<[string, readonly string[]]>([
    ['plain numbers', ['1', '2.5', '1e3']],
    ['words', ['oak', 'elm', '3 oaks']],
    ['codes', ['A12', 'B7', 'C9']],
    ['names of instruments', ['YSI-1', 'YSI-2', 'YSI-2']],
    ['names of runs', ['RUN 1', 'RUN 2', 'RUN 12']],
    ['numbers of samples', ['LAB001', 'LAB002', 'LAB003']],
    ['two units', ['12 kg', '9 lb', '3 kg', '4 lb']],
    ['dates', ['2020-01-05', '2020-01-06']],
    ['times', ['12:30', '13:45']],
    ['addresses', ['10.0.0.1', '10.0.12.7']],
    ['two numbers', ['12 13', '14 15', '1 2']],
    ['groups that are none', ['1,58', '12,3456', '1,2,3']],
  ])('is none of %s', (_, cells) => {
    expect(findWrittenForm(cells, '.')?.group ?? '').toBe('')
    const form = findWrittenForm(cells, '.')
    if (form !== null)
      expect(cells.map((cell) => readWritten(cell, form)).every((value) => value !== null)).toBe(false)
  })

  it('takes the mark of the file where both readings are possible', () => {
    expect(read(['1,580', '2,117', '3,000'], '.')).toEqual([1580, 2117, 3000])
    // Plain decimal commas: nothing is written in any other way.
    expect(findWrittenForm(['1,580', '2,117', '3,000'], ',')).toBeNull()
  })

  it('names what it cannot read', () => {
    const form: WrittenForm = { group: ',', decimal: '.', unit: '$' }
    expect(['12 kg', '1,2', 'n/x', '', '1 200', '$1,200 net'].map((cell) => readWritten(cell, form))).toEqual(
      Array.from({ length: 6 }, () => null),
    )
    expect(writtenWords(form, '.')).toBe('with commas between thousands, in $')
    expect(writtenWords({ group: '.', decimal: ',', unit: '%' }, '.')).toBe(
      'with points between thousands, with a decimal comma, as per cent',
    )
  })
})
