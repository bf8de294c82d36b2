import { describe, expect, it } from 'vitest'
import type { ScannedK } from '../scan'
import { calinskiHarabasz, daviesBouldin, type Dispersion } from './dispersion'
import { gapRule, gapStatistic } from './gap-statistic'
import { kneeOf } from './knee'
import { normalisedMutualInformation } from './mutual-information'
import { suggestionsOf } from './suggestions'
import { contingency } from './testing/contingency'

describe('the knee of a falling curve (Kneedle, S = 1)', () => {
  const ten = Array.from({ length: 10 }, (_, i) => i + 1)

  it.each([
    // y = 1/x: 1 - (1/x - .1)/.9 - (x - 1)/9 is largest, .467, at x = 3; 1 - ... at 2 is .444.
    ['of 1/x', ten, ten.map((x) => 1 / x), 3],
    ['of a bend', [2, 3, 4, 5, 6], [100, 40, 10, 8, 6], 4],
    ['beyond a first flat part', [1, 2, 3, 4, 5, 6], [100, 95, 20, 12, 8, 5], 3],
  ])('%s', (_, x, y, knee) => {
    expect(kneeOf(x, y)).toBe(knee)
  })

  it.each([
    ['a straight line', [1, 2, 3, 4], [40, 30, 20, 10]],
    ['a rising curve', [1, 2, 3, 4], [1, 2, 4, 8]],
    ['a constant', [1, 2, 3], [5, 5, 5]],
    ['two points', [1, 2], [9, 1]],
    ['nothing', [], []],
    ['a concave curve', [1, 2, 3, 4], [10, 9.5, 8, 0]],
  ])('is none on %s', (_, x, y) => {
    expect(kneeOf(x, y)).toBeNull()
  })
})

describe('the gap statistic', () => {
  it('is the mean logarithm of the references less that of the data, with its error', () => {
    const found = gapStatistic(Math.E, [Math.E ** 2, Math.E ** 4])
    // Logarithms 2 and 4: mean 3, deviation 1; s = sqrt(1 + 1/2).
    expect(found?.gap).toBeCloseTo(2, 12)
    expect(found?.standardError).toBeCloseTo(Math.sqrt(1.5), 12)
  })

  it('is not defined of an inertia of 0', () => {
    expect(gapStatistic(0, [1, 2])).toBeNull()
    expect(gapStatistic(1, [0, 2])).toBeNull()
    expect(gapStatistic(1, [])).toBeNull()
  })

  const rows = (gaps: readonly (number | null)[], standardError = 0.05) =>
    gaps.map((gap, i) => ({ k: i + 1, gap: gap === null ? null : { gap, standardError } }))

  it.each([
    [[0.1, 0.4, 0.9, 0.92, 0.5], 3],
    [[0.1, 0.4, 0.9, 0.96, 0.5], 4],
    [[0.1, 0.2, 0.3], null],
    [[0.9], null],
    [[0.1, null, 0.9, 0.2], 3],
  ])('of %j gives k = %s by the rule', (gaps, k) => {
    expect(gapRule(rows(gaps))).toBe(k)
  })

  it('says nothing of a k whose next is not there', () => {
    const [first, , third] = rows([0.9, 0.5, 0.1])
    expect(gapRule([first, third])).toBeNull()
  })
})

describe('what the rules say', () => {
  const row = (k: number, inertia: number, silhouette: number | null): ScannedK => ({
    k,
    restarts: [
      {
        ...{ k, restart: 0, seed: 1, inertia, iterations: 3, stopped: 'labels', seconds: 0.1 },
        ...{ calinskiHarabasz: 100 - k, daviesBouldin: k },
      },
    ],
    best: 0,
    silhouette: silhouette === null ? null : { mean: silhouette, standardError: null, points: 10 },
    gap: null,
    sizes: [],
  })

  it('stands beside each other, ties to the smaller k', () => {
    const rows = [row(2, 100, 0.5), row(3, 20, 0.5), row(4, 15, null), row(5, 12, 0.1), row(6, 10, 0.2)]
    expect(suggestionsOf(rows)).toEqual({
      ...{ knee: 3, silhouette: 2, calinskiHarabasz: 2, daviesBouldin: 2, gap: null },
    })
  })

  it('is nothing of nothing', () => {
    const none = { knee: null, silhouette: null, calinskiHarabasz: null, daviesBouldin: null, gap: null }
    expect(suggestionsOf([])).toEqual(none)
  })
})

describe('indices of dispersion', () => {
  /** Two clusters on a line: 0, 2 and 10, 14; one without points between them. */
  const pairs: Dispersion = {
    ...{ n: 4, d: 1, sizes: Float64Array.of(2, 0, 2), means: Float64Array.of(1, 0, 12) },
    ...{ squares: Float64Array.of(2, 0, 8), distances: Float64Array.of(2, 0, 4) },
  }

  it('are those of their definitions', () => {
    // Between: 2 · 5.5² · 2 = 121, over 1; within 10 over 2.
    expect(calinskiHarabasz(pairs)).toBeCloseTo(121 / 5, 12)
    // Extents 1 and 2, 11 apart, for both.
    expect(daviesBouldin(pairs)).toBeCloseTo(3 / 11, 12)
  })

  it('of clusters without extent are 1 and 0, as scikit-learn has it', () => {
    const none = { ...pairs, squares: new Float64Array(3), distances: new Float64Array(3) }
    expect(calinskiHarabasz(none)).toBe(1)
    expect(daviesBouldin(none)).toBe(0)
  })

  it('of clusters in one place are 0', () => {
    const one = { ...pairs, means: Float64Array.of(5, 5, 5) }
    expect(calinskiHarabasz(one)).toBe(0)
    expect(daviesBouldin(one)).toBe(0)
  })

  it.each([
    ['one cluster', Float64Array.of(4, 0, 0)],
    ['every point alone', Float64Array.of(1, 1, 1)],
  ])('are not defined of %s', (_, sizes) => {
    const n = sizes.reduce((sum, size) => sum + size, 0)
    expect(calinskiHarabasz({ ...pairs, n, sizes })).toBeNull()
    expect(daviesBouldin({ ...pairs, n, sizes })).toBeNull()
  })
})

describe('normalised mutual information', () => {
  const index = (first: number[], second: number[]) =>
    normalisedMutualInformation(
      contingency(first, second, 1 + Math.max(...first, 0), 1 + Math.max(...second, 0)),
    )

  it.each([
    // Values of scikit-learn 1.2.1's normalized_mutual_info_score.
    [[0, 0, 1, 1], [1, 1, 0, 0], 1],
    [[0, 0, 0, 0], [0, 1, 2, 3], 0],
    [[0, 0, 1, 2], [0, 0, 1, 1], 0.8],
    [[0, 0, 0], [0, 0, 0], 1],
    [[0, 0, 1, 1], [0, 1, 0, 1], 0],
  ])('of %j and %j is %f', (first, second, expected) => {
    expect(index(first, second)).toBeCloseTo(expected, 12)
  })

  it('is nothing of no point', () => {
    expect(index([], [])).toBeNull()
  })
})
