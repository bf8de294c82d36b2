import { describe, expect, it } from 'vitest'
import { fixedPointScales, sumFromWords } from './fixed-point'
import { planParts, planRing } from './sizes'

describe('sizes on a WebGPU device', () => {
  it('cuts points into parts of whole points within the limit', () => {
    const parts = planParts({ n: 10, d: 3 }, 50)
    expect(parts.map(({ count }) => count)).toEqual([4, 4, 2])
    expect(parts.map(({ first }) => first)).toEqual([0, 4, 8])
  })

  it('cuts parts further where scratch memory asks for it', () => {
    const blocks = { bytes: (points: number) => 16 * Math.ceil(points / 4) }
    expect(planParts({ n: 20, d: 1 }, 40, [blocks]).map(({ count }) => count)).toEqual([8, 8, 4])
    expect(() => planParts({ n: 9, d: 1 }, 40, [{ bytes: () => 41 }])).toThrow(
      /one point would need 41 bytes/,
    )
  })

  it('keeps to the points that passes want in a part at most', () => {
    expect(planParts({ n: 10, d: 3 }, 2 ** 20, [], 4).map(({ count }) => count)).toEqual([4, 4, 2])
  })

  it('refuses what cannot be split, naming need and limit', () => {
    expect(() => planParts({ n: 1, d: 20 }, 50)).toThrow(/one point would need 80 bytes of the 50/)
    expect(() => planRing(9, 5, 10, 300)).toThrow(/cluster sums would need 600 bytes of the 300/)
    expect(() => planRing(2 ** 31, 5, 10, 1e9)).toThrow(/fewer than 2147483648 points/)
  })

  it('offers at least one slot, and no more than the rings hold', () => {
    expect(planRing(1000, 5000, 300, 2 ** 30).slots).toBe(1)
    expect(planRing(1000, 5, 2, 2 ** 30).slots).toBe(256)
  })
})

describe('fixed-point sums', () => {
  it('scales the largest magnitude of a feature to at most 2^30, by a power of two', () => {
    const maxAbs = Float32Array.of(1, 0.75, 2 ** -20, 0, 2 ** -140)
    const scales = fixedPointScales(maxAbs, 1000)
    maxAbs.forEach((value, j) => {
      expect(value * scales[j]).toBeLessThanOrEqual(2 ** 30)
      expect(Number.isInteger(Math.log2(scales[j]))).toBe(true)
      expect(scales[j] * scales[maxAbs.length + j]).toBe(1)
    })
    expect(scales[0]).toBe(2 ** 30)
    expect(scales[2]).toBe(2 ** 50)
    // Beyond 30 bits the contract's own, 62 less those of the number of points; where a float32 ends, none.
    const finer = [...scales.subarray(2 * maxAbs.length)]
    expect(finer.map(Math.log2)).toEqual([21, 22, 21, 22, 0])
  })

  it('takes the bias off, below and above 2^53', () => {
    expect(sumFromWords({ low: 2 ** 30 - 5, high: 0, rest: 0 }, 1, 1, 1)).toBe(-5)
    expect(sumFromWords({ low: 2 ** 30 - 5, high: 0, rest: -3 }, 1, 4, 0.25)).toBe(-5.75)
    const members = 2 ** 30
    const sum = -(2n ** 59n)
    const biased = sum + (BigInt(members) << 30n)
    const words = { low: Number(biased & 0xffffffffn), high: Number(biased >> 32n), rest: 7 }
    expect(sumFromWords(words, members, 2, 1)).toBe(Number(2n * sum + 7n))
  })
})
