import { describe, expect, it } from 'vitest'
import { contingency } from './contingency'

describe('contingency table', () => {
  it('counts how often two labels meet', () => {
    const table = contingency([0, 0, 1, 1, 1], [1, 1, 1, 0, 0], 2, 2)
    expect(table.cells).toEqual([
      { row: 0, column: 1, count: 2 },
      { row: 1, column: 0, count: 2 },
      { row: 1, column: 1, count: 1 },
    ])
    expect([table.total, ...table.rowSums, ...table.columnSums]).toEqual([5, 2, 3, 2, 3])
  })

  it('has empty clusters and no points', () => {
    const table = contingency([2], [0], 3, 1)
    expect([...table.rowSums]).toEqual([0, 0, 1])
    expect(contingency([], [], 2, 2)).toMatchObject({ total: 0, cells: [] })
  })
})
