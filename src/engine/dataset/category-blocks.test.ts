import { describe, expect, it } from 'vitest'
import type { Room } from '../scratch/room'
import { CategoryBlocks, heldCategories, maxCategories } from './category-blocks'

describe('texts that repeat', () => {
  it('are held once, with the row of each, over blocks of one and two bytes', () => {
    const blocks = new CategoryBlocks()
    const rows = 40_000
    // Few texts first, hundreds of them in the middle.
    const textOf = (row: number) => (row < 20_000 ? `a${row % 5}` : `b${row % 700}`)
    for (let row = 0; row < rows; row++) {
      if (row % 11 === 0) blocks.pushMissing()
      else blocks.push(textOf(row))
    }
    const column = blocks.finish()
    expect(column).toMatchObject({ length: rows })
    expect(column?.values).toHaveLength(705)
    expect(column?.byteLength).toBe(16_384 + 2 * (rows - 16_384))
    for (let row = 0; row < rows; row++) {
      const text = row % 11 === 0 ? undefined : textOf(row)
      if (column?.values[column.at(row)] !== text) expect(column?.values[column.at(row)]).toBe(text)
    }
  })

  it('lie where there is room for them', () => {
    const kept: number[] = []
    const room: Pick<Room, 'keep'> = {
      keep(codes) {
        kept.push(codes.length)
        return codes.slice() as typeof codes
      },
    }
    const blocks = new CategoryBlocks(room)
    for (let row = 0; row < 40_000; row++) blocks.push(`t${row % 300}`)
    const column = blocks.finish()
    expect(kept).toEqual([16_384, 16_384, 7232])
    expect([0, 20_000, 39_999].map((row) => column?.at(row))).toEqual([0, 200, 99])
  })

  it('are the same without the blanks around them', () => {
    const blocks = new CategoryBlocks()
    for (const text of ['x', ' y', 'x ', 'y']) blocks.push(text)
    const column = blocks.finish()
    expect(column?.values).toEqual(['x', 'y'])
    expect([0, 1, 2, 3].map((row) => column?.at(row))).toEqual([0, 1, 0, 1])
    expect(blocks.distinct).toBe(4)
  })

  it('can be read elsewhere: each text once, and blocks of numbers', () => {
    const column = heldCategories(['x', ' y', 'x '], [Uint8Array.from([1, 0, 2, 3])])
    expect(column).toMatchObject({ length: 4, byteLength: 4, values: ['x', 'y'] })
    expect([0, 1, 2, 3].map((row) => column.at(row))).toEqual([0, -1, 1, 0])
  })

  it('are let go of where they are too many, and none where there are none', () => {
    const blocks = new CategoryBlocks()
    for (let i = 0; i <= maxCategories; i++) blocks.push(`text ${i}`)
    expect(blocks).toMatchObject({ distinct: maxCategories, isMany: true })
    expect(blocks.finish()).toBeUndefined()
    const empty = new CategoryBlocks()
    empty.pushMissing()
    expect(empty.finish()).toBeUndefined()
  })
})
