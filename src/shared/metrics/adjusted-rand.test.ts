import { describe, expect, it } from 'vitest'
import { adjustedRandIndex } from './adjusted-rand'
import { contingency } from './testing/contingency'

const index = (first: number[], second: number[]) =>
  adjustedRandIndex(contingency(first, second, 1 + Math.max(...first, 0), 1 + Math.max(...second, 0)))

describe('adjusted Rand index', () => {
  it('is 1 for the same partition under other names', () => {
    expect(index([0, 0, 1, 1, 2], [2, 2, 0, 0, 1])).toBe(1)
  })

  it.each([
    // Values of the documentation of scikit-learn's adjusted_rand_score.
    [[0, 0, 1, 2], [0, 0, 1, 1], 0.5714285714285714],
    [[0, 0, 1, 1], [0, 0, 1, 2], 0.5714285714285714],
    [[0, 0, 0, 0], [0, 1, 2, 3], 0],
    [[0, 0, 1, 1], [0, 1, 0, 1], -0.5],
    // By hand: 4 pairs together of 6 and 7, of 15: (4 - 2.8) / (6.5 - 2.8).
    [[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1], 1.2 / 3.7],
  ])('of %j and %j is %f', (first, second, expected) => {
    expect(index(first, second)).toBeCloseTo(expected, 14)
  })

  it.each([
    ['one cluster in both', [0, 0, 0], [0, 0, 0]],
    ['every point alone in both', [0, 1, 2], [2, 1, 0]],
  ])('is 1 where there is no choice: %s', (_, first, second) => {
    expect(index(first, second)).toBe(1)
  })

  it.each([
    ['one point', [0], [0]],
    ['no point', [], []],
  ])('is nothing where there is no pair: %s', (_, first, second) => {
    expect(index(first, second)).toBeNull()
  })

  it('does not mind empty clusters, nor very many points', () => {
    const table = {
      ...{ rows: 3, columns: 2, total: 4e8 },
      rowSums: Float64Array.of(2e8, 0, 2e8),
      columnSums: Float64Array.of(2e8, 2e8),
      starts: Uint32Array.of(0, 1, 1, 2),
      columnOf: Uint32Array.of(0, 1),
      counts: Uint32Array.of(2e8, 2e8),
    }
    expect(adjustedRandIndex(table)).toBe(1)
  })
})
