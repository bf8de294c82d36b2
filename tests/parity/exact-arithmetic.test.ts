import { describe, expect, it } from 'vitest'
import { exactLabels, exactSquare, wholeNumber } from './exact-arithmetic'
import { generator, latticePoints, pointsOf, randomPoints, spreadRows } from './fixtures'
import { assign } from './reference'

describe('exact arithmetic over float32 values', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [2 ** -149, 1n],
    [-(2 ** -126), -(1n << 23n)],
    [1, 1n << 149n],
    [-1.5, -3n << 148n],
    [Math.fround(3.4028234663852886e38), 0xffffffn << 253n],
  ])('has %d as a whole number', (value, expected) => {
    expect(wholeNumber(value)).toBe(expected)
  })

  it('tells squares whose difference float64 does not hold', () => {
    const points = pointsOf(Float32Array.of(0, 0), 1, 2)
    const centroids = Float32Array.of(1, 2 ** -149, -1, 0)
    expect(exactSquare(points, 0, centroids, 0) - exactSquare(points, 0, centroids, 1)).toBe(1n)
    expect([...exactLabels(points, centroids, 2)]).toEqual([1])
  })

  it('is the float64 reference where that is exact', () => {
    const points = latticePoints(1500, 4, 6, 77)
    const centroids = spreadRows(points, 24)
    expect(exactLabels(points, centroids, 24)).toEqual(assign(points, centroids, 24).labels)
  })

  it('labels as the plain argmin of whole numbers does', () => {
    const points = randomPoints({ n: 60, d: 3, seed: 3 })
    const next = generator(5)
    // Mirror images of each other about a point: ties, but for the rounding of the images.
    const centroids = Float32Array.from({ length: 36 }, () => next() - 0.5)
    for (let at = 0; at < 18; at++) centroids[18 + at] = 2 * points.x[at] - centroids[at]
    const expected = Array.from({ length: 60 }, (_, i) => {
      const squares = Array.from({ length: 12 }, (_each, c) => exactSquare(points, i, centroids, c))
      return squares.indexOf(squares.reduce((least, square) => (square < least ? square : least)))
    })
    expect([...exactLabels(points, centroids, 12)]).toEqual(expected)
  })
})
