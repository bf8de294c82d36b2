import { describe, expect, it } from 'vitest'
import { readCells } from './column-cells'
import type { NumericColumn } from './dataset'
import { NumberBlocks } from './number-blocks'

const rows = 50_000
const valueOf = (row: number) => (row % 13 === 0 ? NaN : row < 20_000 ? row / 4 : Math.sqrt(row))

function column(): NumberBlocks {
  const blocks = new NumberBlocks()
  for (let row = 0; row < rows; row++) blocks.push(valueOf(row))
  return blocks
}

describe('cells of a column', () => {
  it.each([
    [0, rows],
    [16_383, 2],
    [5, 40_000],
    [49_000, 1000],
    [7, 0],
  ])('from row %i on, %i of them, are those that it has', (start, count) => {
    const into = new Float64Array(count)
    readCells(column(), start, into)
    expect(into).toEqual(Float64Array.from({ length: count }, (_, i) => valueOf(start + i)))
  })

  it('of one that is computed too', () => {
    const computed: NumericColumn = { length: rows, byteLength: 0, at: valueOf }
    const into = new Float64Array(100)
    readCells(computed, 10, into)
    expect(into[16]).toBe(NaN)
    expect(into[17]).toBe(valueOf(27))
  })
})
