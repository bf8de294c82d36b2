import { expect, it } from 'vitest'
import { spreadRows } from './spread-rows'

it('are all rows where they are few, and else one of each stretch', () => {
  expect([...spreadRows(5, 100)]).toEqual([0, 1, 2, 3, 4])
  expect([...spreadRows(0, 100)]).toEqual([])
  const rows = spreadRows(10_000, 100)
  expect(rows).toHaveLength(100)
  rows.forEach((row, stretch) => expect(Math.floor(row / 100)).toBe(stretch))
})

it('meet every position of a pattern', () => {
  for (const period of [2, 3, 5, 10, 16, 100]) {
    const positions = new Set([...spreadRows(1_000_000, 1 << 16)].map((row) => row % period))
    expect(positions.size).toBe(period)
  }
})
