import { describe, expect, it } from 'vitest'
import { column, preview, summary } from '../../../test/fixtures'
import {
  choicesOf,
  chosenOf,
  dialectFields,
  isFixed,
  titleChoices,
  withColumnType,
  withDialect,
  withTitleRows,
} from './dialect-fields'
import { effectOf, gapsOf } from './preview-rows'

const { dialect } = summary().receipt
const named = (key: string) => {
  const found = dialectFields.find((field) => field.key === key)
  if (!found) throw new Error(`no field ${key}`)
  return found
}

describe('the settings of an import', () => {
  it('offer what was detected first', () => {
    expect(choicesOf(named('delimiter'), dialect).map(({ word }) => word)).toEqual([
      'Detected: comma',
      'comma',
      'tab',
      'semicolon',
      'vertical bar',
      'blanks',
    ])
    expect(choicesOf(named('header'), dialect)[0]?.word).toBe('Detected: yes')
  })

  it('are set and given back, also where the value is false or empty', () => {
    const none = withDialect(named('quote'), '', withDialect(named('header'), 'false', {}))
    expect(none).toEqual({ header: false, quote: '' })
    expect(chosenOf('quote', none)).toBe('')
    expect(chosenOf('header', none)).toBe('false')
    expect(withDialect(named('header'), 'detected', none)).toEqual({ quote: '' })
    expect(chosenOf('header', {})).toBe('detected')
  })

  it('keep the types of columns unless cells are cut anew', () => {
    const typed = withColumnType(2, 'text', withColumnType(0, 'numeric', {}))
    expect(typed).toEqual({ columnTypes: { 0: 'numeric', 2: 'text' } })
    expect(withDialect(named('decimal'), ',', typed)).toEqual({ decimal: ',', ...typed })
    expect(withDialect(named('delimiter'), ';', typed)).toEqual({ delimiter: ';' })
    expect(withColumnType(0, null, withColumnType(2, null, typed))).toEqual({})
  })

  it('leave alone what the headed format fixes', () => {
    expect(isFixed('delimiter', 'headed')).toBe(true)
    expect(isFixed('encoding', 'headed')).toBe(false)
    expect(isFixed('delimiter', 'delimited')).toBe(false)
  })
})

describe('what the settings make of a file', () => {
  const receipt = summary().receipt

  it('warns where the file will be refused', () => {
    const empty = preview({ receipt: { ...receipt, records: 0, tooLong: 0, tooShort: 0 } })
    expect(effectOf(empty)).toMatchObject({ refused: true })
    const ragged = preview({ receipt: { ...receipt, records: 10, tooLong: 0, tooShort: 6 } })
    expect(effectOf(ragged).sentence).toContain('6 of the first 10 rows have a wrong number of cells')
    const words = preview({ columns: preview().columns.slice(4) })
    expect(effectOf(words).sentence).toContain('No numeric columns')
    expect(effectOf(preview()).refused).toBe(false)
  })

  it('tells missing cells from those that are no numbers', () => {
    expect(gapsOf(column(0, 'a', { missing: 5, notNumeric: 2 }))).toBe('3 missing, 2 not numbers')
    expect(gapsOf(column(0, 'a', { missing: 2, notNumeric: 2 }))).toBe('2 not numbers')
    expect(gapsOf(column(0, 'a'))).toBe('')
  })
})

it('title rows are set by hand, or left to detection', () => {
  const [detected, none, one] = titleChoices({ count: 1, overridden: false })
  expect([detected.word, none.word, one.word]).toEqual(['Detected: 1', 'none', '1'])
  expect(withTitleRows(none.value, { header: true })).toEqual({ header: true, titleRows: 0 })
  expect(withTitleRows(detected.value, { header: true, titleRows: 0 })).toEqual({ header: true })
})
