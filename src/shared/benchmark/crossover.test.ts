import { describe, expect, it } from 'vitest'
import { crossoverTable } from './crossover-table'
import { crossoverSentences } from './crossover-text'
import { crossoversOf, hasUnlikeWork, isLocated } from './crossover'
import type { ScalingPoint, ScalingSeries } from './scaling'
import { scalingGroups } from './scaling'
import { medianOf } from './statistics'
import { comparisonDocument, scalingDocument } from './testing/document'

const sizes = [100, 1000, 10_000, 100_000]
const noise = [1, 1.03, 0.98, 1.05, 0.97]

function series(
  contender: string,
  msAt: (size: number) => number,
  shares: readonly number[] = noise,
  iterations = 20,
): ScalingSeries {
  const points = sizes.map((size): ScalingPoint => {
    const totalsMs = shares.map((share) => share * msAt(size))
    return { size, datasets: [], totalsMs, medianMs: medianOf(totalsMs), iterations }
  })
  return { contender, points }
}

describe('crossovers', () => {
  // 3 x^0.5 = 0.03 x where x^0.5 = 100
  const root = series('root', (x) => 3 * Math.sqrt(x))
  const linear = series('linear', (x) => 0.03 * x)

  it('of two power laws lie where they are equal, inside their interval', () => {
    const [pair] = crossoversOf({ series: [root, series('linear', (x) => 0.01 * x)] })
    // 3 x^0.5 = 0.01 x where x = 90 000
    const [{ below, above, at, ms, interval }] = pair.crossings
    expect([below, above]).toEqual(['linear', 'root'])
    expect(at).toBeCloseTo(90_000, 4)
    expect(ms).toBeCloseTo(900, 4)
    expect(interval?.low).toBeLessThan(90_000)
    expect(interval?.low).toBeGreaterThan(70_000)
    expect(interval?.high).toBeGreaterThan(90_000)
  })

  it('are not looked for where the numbers of iterations differ', () => {
    const longer = series('linear', (x) => 0.01 * x, noise, 300)
    expect(crossoversOf({ series: [root, longer] })).toEqual([])
    const partly = {
      ...longer,
      points: longer.points.map((one, i) => (i < 2 ? one : { ...one, iterations: 21 })),
    }
    expect(crossoversOf({ series: [root, partly] })[0].range).toEqual([10_000, 100_000])
    expect([longer, partly].map((other) => hasUnlikeWork({ series: [root, other] }))).toEqual([true, true])
    expect(hasUnlikeWork({ series: [root, linear] })).toBe(false)
  })

  it('at a size that was measured lie there', () => {
    const [pair] = crossoversOf({ series: [root, linear] })
    expect(pair.crossings).toHaveLength(1)
    expect(pair.crossings[0].at).toBeCloseTo(10_000, 6)
  })

  it('that the repeats cannot place in the range have an open end', () => {
    // Equal at 99 000, with a spread of 8 %: some resamples cross only beyond the last size.
    const [pair] = crossoversOf({ series: [root, series('linear', (x) => (3 * x) / Math.sqrt(99_000))] })
    expect(pair.crossings[0].interval?.high).toBe(Infinity)
    expect(isLocated(pair.crossings[0])).toBe(false)
    expect(crossoverSentences(pair, 'n')).toEqual([
      expect.stringMatching(
        /^root overtakes linear somewhere above N ≈ [\d\u202f]+ or beyond the measured range \(N 100 to 100\u202f000\); where exactly is inconclusive\.$/,
      ),
    ])
    const falling = (x: number) => (3 * x) / Math.sqrt(101)
    const [low] = crossoversOf({ series: [root, series('linear', falling)] })
    expect(low.crossings[0].interval?.low).toBe(0)
    expect(crossoverSentences(low, 'n')[0]).toMatch(
      / somewhere below N ≈ [\d\u202f]+ or beyond the measured range/,
    )
    for (const slope of [falling, (x: number) => (3 * x) / Math.sqrt(99_000)]) {
      const two = [root, series('linear', slope)]
      const table = crossoverTable({ id: '', varies: 'n', n: null, d: 2, k: 5, data: 'made up', series: two })
      expect(table.rows).toEqual([])
    }
  })

  it('are none where one is always faster', () => {
    const [pair] = crossoversOf({ series: [root, series('slow root', (x) => 5 * Math.sqrt(x))] })
    expect(pair.crossings).toEqual([])
    expect(crossoverSentences(pair, 'k')).toEqual([
      'root stays ahead of slow root: no crossover in the range measured (k 100 to 100\u202f000).',
    ])
  })

  it('of one repeat have no interval', () => {
    const [pair] = crossoversOf({
      series: [series('root', (x) => 3 * Math.sqrt(x), [1]), series('linear', (x) => 0.01 * x, [1])],
    })
    expect(pair.crossings[0].interval).toBeNull()
  })
})

describe('crossovers that the repeats do not place', () => {
  const root = (shares?: readonly number[]) => series('root', (x) => 3 * Math.sqrt(x), shares)
  const wavering = series('wavering', (x) => 3 * Math.sqrt(x) * (x > 3000 ? 1.005 : 0.995))
  const linear = (shares: readonly number[]) => series('linear', (x) => 0.01 * x, shares)

  it.each([
    ['open at both ends', [root(), wavering], 'root and wavering'],
    ['of three repeats', [root(noise.slice(0, 3)), linear(noise.slice(0, 3))], 'root and linear'],
    ['of one repeat', [root([1]), linear([1])], 'root and linear'],
  ])('%s are reported, but not where, and have no row', (_, two, names) => {
    const [pair] = crossoversOf({ series: two })
    expect(pair.crossings).toHaveLength(1)
    expect(isLocated(pair.crossings[0])).toBe(false)
    const sentence = `Whether ${names} cross between N = 100 and 100\u202f000 is inconclusive.`
    expect(crossoverSentences(pair, 'n')).toEqual([sentence])
    const table = crossoverTable({ id: '', varies: 'n', n: null, d: 2, k: 5, data: 'made up', series: two })
    expect(table.rows).toEqual([])
    expect(table.notes).toContain(sentence)
  })
})

describe('sweeps', () => {
  it('over N are found in a document, with the crossing of its lines', () => {
    const groups = scalingGroups(scalingDocument())
    expect(groups).toHaveLength(1)
    expect(groups[0]).toMatchObject({ varies: 'n', n: null, d: 2, k: 5, data: 'uniform data' })
    const pair = crossoversOf(groups[0]).find(
      ({ first, second }) => first === 'cpu/fused' && second === 'cuda:0/global-atomics',
    )
    // N / 100 000 + 0.1 = 1 + N / 1 000 000 where N = 100 000, a size measured
    expect(pair?.crossings[0].at).toBeCloseTo(100_000, 3)
  })

  it('over k are found for one dataset; two datasets of other shape are no sweep', () => {
    const groups = scalingGroups(comparisonDocument())
    expect(groups.map(({ varies, data }) => [varies, data])).toEqual([
      ['k', 'uniform 100k'],
      ['k', 'iris.csv'],
    ])
    const counted = groups[1].series.map(({ contender }) => contender)
    expect(counted).toContain('cpu/fused')
  })
})
