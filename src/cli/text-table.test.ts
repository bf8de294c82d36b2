import { describe, expect, it } from 'vitest'
import { textTable } from './text-table'

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
