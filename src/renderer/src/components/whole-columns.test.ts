import { expect, it } from 'vitest'
import { wholeColumns } from './whole-columns'

it('columns that are in sight are whole', () => {
  expect(wholeColumns(500, 100, 4)).toBe(100)
  expect(wholeColumns(480, 100, 9)).toBe(120)
  expect(wholeColumns(490, 100, 9)).toBe(98)
  expect(wholeColumns(60, 100, 9)).toBe(60)
  expect(wholeColumns(0, 100, 9)).toBe(100)
})
