import { expect, it } from 'vitest'
import { maxHalvesAdded, wholeConstants } from './whole-numbers'

const counts = [
  1,
  2,
  3,
  4,
  5,
  100,
  2 ** 16,
  2 ** 16 + 1,
  10 ** 6,
  2 ** 20 + 1,
  4e6,
  10 ** 8,
  2 ** 30,
  2 ** 31 - 1,
]

it.each(counts)('halves of whole numbers of %d points fit their words', (n) => {
  const { lower_bits: lowerBits, by_magic: byMagic } = wholeConstants({ n })
  // Of the largest coordinate, and of one more than half of the lower unit.
  const upper = 2 ** (62 - Math.ceil(Math.log2(n)) - lowerBits)
  const lower = 2 ** (lowerBits - 1)
  expect(lowerBits).toBeGreaterThanOrEqual(16)
  expect(lowerBits).toBeLessThanOrEqual(31)
  expect(upper).toBeLessThanOrEqual(2 ** 31)
  expect(byMagic === 1).toBe(Math.max(upper, lower) <= 2 ** 22)
  expect(maxHalvesAdded({ n }) * Math.max(upper, lower)).toBeLessThan(2 ** 31)
})
