import { describe, expect, it } from 'vitest'
import { classify, parseNumber } from './number'

describe('numbers', () => {
  it.each([
    ...['0', '-0', '5', '-5', '+5', '007', '1.5', '.5', '5.', '-.5', ' 1.5 ', '1e3', '1E-3', '2.5e+3'],
    ...['123456789012345', '1234567890123456', '0.1234567890123456', '9007199254740993', '1e308', '5e-324'],
    ...['0.1', '0.3', '2.675', '1234567.8901234', '.000000000000001', '99999.9999999999', '8.41', '1e-400'],
  ])('%j reads as in the language', (cell) => {
    expect(Object.is(parseNumber(cell, '.'), Number(cell))).toBe(true)
    const withComma = cell.replace('.', ',')
    expect(Object.is(parseNumber(withComma, ','), Number(cell))).toBe(true)
  })

  it('a thousand random decimals read to the last bit', () => {
    let state = 7
    for (let i = 0; i < 1000; i++) {
      state = (state * 48271) % 2147483647
      const cell = (state / 2 ** (i % 40)).toPrecision(1 + (i % 17))
      expect(Object.is(parseNumber(cell, '.'), Number(cell)), cell).toBe(true)
    }
  })

  it.each([
    ...['', ' ', 'NA', 'na', 'NaN', 'nan', 'null', 'NULL', '?', '-', ' - '].map((cell) => [cell, 'missing']),
    ...['inf', '-Inf', 'Infinity', '+infinity', '1e400', '-1e999'].map((cell) => [cell, 'infinite']),
    ...['n/x', '.', '-.', '+', '1.2.3', '1,5', '1 000', '0x1f', '0b1', '1_000', '1e', 'e5', '--1', '5-'].map(
      (cell) => [cell, 'other'],
    ),
  ])('%j is %s', (cell, kind) => {
    expect(classify(cell, '.')).toBe(kind)
  })

  it('no mark but the chosen one', () => {
    expect(classify('1.5', ',')).toBe('other')
    expect(classify('1.234,5', ',')).toBe('other')
    expect(classify('1,234.5', '.')).toBe('other')
  })

  it('a cell of very many digits that is no number is known for one at once', () => {
    const began = performance.now()
    for (const decimal of ['.', ','] as const)
      expect(classify(`${'9'.repeat(300_000)}x`, decimal)).toBe('other')
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
