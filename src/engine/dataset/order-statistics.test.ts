import { describe, expect, it } from 'vitest'
import { Slices } from '../slices'
import { lowerMedian } from './lower-median'
import { quantiles, valueOfRank } from './order-statistics'

const slices = new Slices()
const series = (values: readonly number[]) => ({ length: values.length, at: (i: number) => values[i] })
const ascending = (values: readonly number[]) =>
  values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b)

const kinds: readonly [string, (i: number) => number][] = [
  ['normal-like', (i) => Math.sin(i * 12.9898) + Math.sin(i * 78.233) * 0.3],
  ['about a large offset', (i) => 1_600_000_000 + (i % 7) * 0.25],
  ['of two groups, the first rows of one', (i) => (i < 45_000 ? i % 3 : 1_600_000_000 + (i % 3) * 4)],
  ['of both signs and all sizes', (i) => Math.sin(i) * 10 ** ((i % 500) - 250)],
  ['nearly all equal', (i) => (i % 1000 === 0 ? i : 7.25)],
  ['that ascend', (i) => i / 3],
  ['with gaps', (i) => (i % 3 === 0 ? NaN : (i * 7919) % 10_007)],
  ['with a period that a sample may meet', (i) => (i % 24 === 0 ? -1e9 : i)],
]

describe('order statistics', () => {
  it.each(kinds)('of numbers %s are those of sorting', async (_, value) => {
    for (const length of [1, 2, 5, 100, 4097, 100_003]) {
      const values = Array.from({ length }, (_, i) => value(i + 1))
      const sorted = ascending(values)
      const count = sorted.length
      const { low, middle, high } = await lowerMedian(series(values), slices)
      expect([low, middle, high]).toEqual([sorted[0], sorted[Math.floor((count - 1) / 2)], sorted[count - 1]])
      const ranks = [0, Math.floor(count / 3), count - 1]
      for (const rank of ranks) expect(await valueOfRank(series(values), rank, slices)).toBe(sorted[rank])
    }
  })

  it('interpolate as NumPy does, without losing digits to float32', async () => {
    const values = [4, 1, 3, 1_600_000_001]
    expect(await quantiles(series(values), [0, 0.25, 0.5, 1], slices)).toEqual([1, 2.5, 3.5, 1_600_000_001])
  })

  it('of nothing are no numbers', async () => {
    expect(await quantiles(series([NaN]), [0.5], slices)).toEqual([NaN])
    expect(await lowerMedian(series([]), slices)).toEqual({ low: NaN, middle: NaN, high: NaN })
  })

  it('of very many equal rows take no room for all of them', async () => {
    const all = { length: 3_000_000, at: (i: number) => (i < 10 ? 1 : 5) }
    expect(await lowerMedian(all, slices)).toEqual({ low: 1, middle: 5, high: 5 })
  })
})
