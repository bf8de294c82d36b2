import { describe, expect, it } from 'vitest'
import { nearestCentroid } from '@shared/metrics/distance'
import { NearestFinder } from './nearest'

const unitSteps = (length: number, seed: number) =>
  Float32Array.from({ length }, (_, i) => ((i * 7919 + seed * 104729) % 1013) / 1013 - 0.5)

function labelsOf(x: Float32Array, centroids: Float32Array, k: number, d: number): number[] {
  const labels = new Int32Array(x.length / d)
  new NearestFinder(centroids, k, d).assign(x, labels, 0, labels.length)
  return [...labels]
}

describe('nearest centroid of many points', () => {
  it.each([
    [1, 1],
    [1, 9],
    [2, 8],
    [3, 5],
    [4, 4],
    [5, 1],
    [7, 6],
    [33, 13],
  ])('answers as one by one for %i features and %i centroids', (d, k) => {
    const x = unitSteps(200 * d, 1)
    const centroids = unitSteps(k * d, 2)
    const expected = Array.from({ length: 200 }, (_, row) => nearestCentroid(x, row, centroids, k, d))
    expect(labelsOf(x, centroids, k, d)).toEqual(expected)
  })

  it.each([1, 2, 3, 4])('gives a tie to the lowest index (%i features)', (d) => {
    const centroids = Float32Array.from({ length: 3 * d }, (_, at) => [9, 1, -1][Math.floor(at / d)])
    expect(labelsOf(new Float32Array(d), centroids, 3, d)).toEqual([1])
  })

  it.each([1, 2, 3, 4])('never chooses a dropped cluster (%i features)', (d) => {
    const dropped = new Float32Array(2 * d).fill(NaN, 0, d).fill(5, d)
    expect(labelsOf(new Float32Array(d), dropped, 2, d)).toEqual([1])
    expect(labelsOf(new Float32Array(d), new Float32Array(2 * d).fill(NaN), 2, d)).toEqual([-1])
  })

  it('leaves the labels outside its part alone', () => {
    const labels = new Int32Array(4).fill(7)
    new NearestFinder(new Float64Array(2), 1, 2).assign(new Float32Array(8), labels, 1, 3)
    expect([...labels]).toEqual([7, 0, 0, 7])
  })
})
