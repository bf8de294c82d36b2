import { describe, expect, it } from 'vitest'
import {
  fartherLabels,
  inexactLabels,
  labelUnits,
  largestMeanError,
  openMembers,
  sampleOf,
} from './exactness'

const { signal } = new AbortController()

/** (n, 1) */
function line(values: readonly number[]) {
  return {
    x: Float32Array.from(values),
    n: values.length,
    d: 1,
    maxAbs: Float32Array.of(Math.max(...values)),
  }
}

describe('the error of means', () => {
  const sums = { sums: Float64Array.of(10, 20, 30, 40), counts: Float64Array.of(10, 10) }
  const ranges = Float64Array.of(8, 8)
  const right = [1, 2, 3, 4]

  it.each([0, 1, 2, 3])('is infinite where coordinate %i is not a number', (at) => {
    const found = Float32Array.from(right, (value, index) => (index === at ? Number.NaN : value))
    expect(largestMeanError(sums, new Float32Array(4), found, ranges)).toBe(Infinity)
  })

  it('is in ranges of the feature', () => {
    expect(largestMeanError(sums, new Float32Array(4), Float32Array.from(right), ranges)).toBe(0)
    expect(largestMeanError(sums, new Float32Array(4), Float64Array.of(1, 2, 3, 4.8), ranges)).toBeCloseTo(
      0.1,
    )
  })
})

describe('a sample of the labels', () => {
  it('holds the end of the points without a gap, where kernels have their last block', async () => {
    const n = 100_000
    const points = line(Array.from({ length: n }, (_, i) => i % 2))
    const centroids = Float32Array.of(0, 1)
    const sample = await sampleOf(points, centroids, 2, 5000, signal)
    expect(sample.rows).toHaveLength(5000)
    expect(new Set(sample.rows).size).toBe(5000)
    const labels = Int32Array.from(points.x)
    labels[n - 7] = 1 - labels[n - 7]
    expect(await inexactLabels(points, centroids, 2, sample, labels, labelUnits.cpu, signal)).toBe(1)
  })

  it('is joined by every label that another labelling has nearer', async () => {
    const points = line([0, 1, 2, 3])
    const others = Int32Array.of(0, 0, 1, 1)
    const farther = (labels: readonly number[]) =>
      fartherLabels(points, Float32Array.of(0, 2), Int32Array.from(labels), others, labelUnits.cpu, signal)
    // The point at 1 is as near to both.
    expect(await farther([0, 1, 1, 1])).toBe(0)
    expect(await farther([0, 0, 0, 1])).toBe(1)
    expect(await farther([0, 0, 1, 7])).toBe(1)
  })
})

describe('means over the labels of another', () => {
  it('may differ by the points that lie as near to two centroids, and by no more', async () => {
    const points = line([0, 1, 2])
    const before = Float32Array.of(0, 2)
    const open = await openMembers(points, before, 2, labelUnits.cpu, signal)
    expect([...open]).toEqual([1, 1])
    const sums = { sums: Float64Array.of(1, 2), counts: Float64Array.of(2, 1) }
    const errorOf = (found: readonly number[]) =>
      largestMeanError(sums, before, Float64Array.from(found), Float64Array.of(2), open)
    expect(errorOf([0, 1.5])).toBe(0)
    expect(errorOf([-2, 2])).toBeGreaterThan(0.1)
  })
})
