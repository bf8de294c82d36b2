import { describe, expect, it } from 'vitest'
import { NumberBlocks } from './number-blocks'

/** More than two blocks. */
const rows = 40_000

function held(value: (row: number) => number) {
  const blocks = new NumberBlocks()
  for (let row = 0; row < rows; row++) blocks.push(value(row))
  return blocks.finish()
}

describe('numbers held without loss', () => {
  it.each<[string, (row: number) => number, number]>([
    ['whole numbers', (row) => row - 20_000, 4],
    ['a few decimal places', (row) => Number((row * 0.01 - 77).toFixed(2)), 4],
    ['nine decimal places', (row) => Number(`0.${String(row * 24_847 + 3).padStart(9, '0')}`), 4],
    ['places that grow further down', (row) => (row < 15_000 ? row : row / 1000), 4],
    ['every bit of float64', (row) => Math.sin(row), 8],
    ['large numbers with digits behind the point', (row) => 1_600_000_000.25 + row, 8],
    ['the range of float64', (row) => (row % 2 ? -1 : 1) * 10 ** ((row % 600) - 300), 8],
    ['the number that stands for a missing cell', (row) => -(2 ** 31) + (row % 3), 8],
  ])('%s come back as they were', (_, value, bytesOfValue) => {
    const column = held(value)
    expect(column.length).toBe(rows)
    for (let row = 0; row < rows; row++) {
      if (column.at(row) !== value(row)) throw new Error(`row ${row}: ${column.at(row)} for ${value(row)}`)
    }
    // The last block is as yet open: some 7000 rows of 8 bytes.
    expect(column.byteLength).toBeLessThanOrEqual(rows * bytesOfValue + 8 * 2 ** 14)
  })

  it('missing cells stay missing among whole numbers and others', () => {
    for (const unit of [1, Math.PI]) {
      const column = held((row) => (row % 5 === 0 ? NaN : row * unit))
      const missing = Array.from({ length: rows }, (_, row) => column.at(row)).filter(Number.isNaN)
      expect(missing).toHaveLength(rows / 5)
    }
  })

  it('a short column takes no more than it has', () => {
    const blocks = new NumberBlocks()
    blocks.push(1)
    blocks.push(-0)
    expect(blocks.finish().byteLength).toBe(16)
    expect(Object.is(blocks.at(1), 0)).toBe(true)
  })
})
