import { describe, expect, it } from 'vitest'
import { generator, pointsOf } from '@tests/parity/fixtures'
import { calinskiHarabasz, daviesBouldin } from '@shared/metrics/dispersion'
import { dispersionInSlices, dispersionOf } from './dispersion'

const never = new AbortController().signal

function labelled(n: number, d: number, k: number) {
  const draw = generator(n + d + k)
  const points = pointsOf(
    Float32Array.from({ length: n * d }, () => 2 * draw() - 1),
    n,
    d,
  )
  // The last but one stays empty.
  const labels = Int32Array.from({ length: n }, () => Math.floor(draw() * (k - 2)))
  labels[3] = k - 1
  return { points, labels, k }
}

describe('dispersion', () => {
  it.each([
    [30_000, 1, 3],
    [9_000, 7, 40],
  ])('of %i x %i in %i clusters is the same on the addon as without it', async (n, d, k) => {
    const input = labelled(n, d, k)
    const [native, plain] = [await dispersionOf(input, never), await dispersionInSlices(input, never)]
    expect(native.sizes).toEqual(plain.sizes)
    expect(native.sizes[k - 1]).toBe(1)
    expect(native.sizes[k - 2]).toBe(0)
    for (const cluster of plain.sizes.keys()) {
      expect(native.squares[cluster]).toBeCloseTo(plain.squares[cluster], 6)
      expect(native.distances[cluster]).toBeCloseTo(plain.distances[cluster], 6)
    }
    expect(calinskiHarabasz(native)).toBeCloseTo(calinskiHarabasz(plain) ?? NaN, 9)
    expect(daviesBouldin(native)).toBeCloseTo(daviesBouldin(plain) ?? NaN, 9)
  })

  it('of a point alone is none', async () => {
    const native = await dispersionOf(labelled(30_000, 2, 5), never)
    expect([native.squares[4], native.distances[4]]).toEqual([0, 0])
  })
})
