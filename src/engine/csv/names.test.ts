import { expect, it } from 'vitest'
import { columnNames } from './names'

it('equal names and names that look like made ones stay apart', () => {
  expect(columnNames(['x', 'x_1', 'x', '', 'x', 'x_1'], 6)).toEqual([
    'x',
    'x_1',
    'x_2',
    'column 4',
    'x_3',
    'x_1_1',
  ])
})

it('a name of the header stays with its own column', () => {
  const header = ['x', 'x', 'x_1', 'y']
  const names = columnNames(header, 4)
  expect(names).toEqual(['x', 'x_2', 'x_1', 'y'])
})

it('very many equal names are made unique at once', () => {
  const began = performance.now()
  const names = columnNames(
    Array.from({ length: 60_000 }, () => '9'),
    60_000,
  )
  expect(new Set(names).size).toBe(60_000)
  expect(performance.now() - began).toBeLessThan(3000)
})
