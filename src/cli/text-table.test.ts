import { describe, expect, it } from 'vitest'
import { distinctNumbers, textTable } from './text-table'

describe('a table for reading', () => {
  it('aligns numbers to the right under their header', () => {
    expect(
      textTable(
        ['run', 'inertia'],
        [
          ['0', '78.86'],
          ['12', '5'],
        ],
      ),
    ).toBe('run  inertia\n  0    78.86\n 12        5\n')
  })

  it('takes a history of any length', () => {
    const rows = Array.from({ length: 300_000 }, (_, row) => [String(row)])
    expect(textTable(['iteration'], rows)).toMatch(/^iteration\n {8}0\n[^]*\n {3}299999\n$/)
  })
})

describe('the numbers of a column', () => {
  it('have as many digits as it takes to tell different ones apart', () => {
    expect(distinctNumbers([5.0061, 3.4281, null])).toEqual(['5.006', '3.428', '-'])
    expect(distinctNumbers([5.00612, 5.00648, 5.00612])).toEqual(['5.0061', '5.0065', '5.0061'])
    expect(distinctNumbers([9007199254740996, 9007199254740998])).toEqual([
      '9007199254740996',
      '9007199254740998',
    ])
  })
})
