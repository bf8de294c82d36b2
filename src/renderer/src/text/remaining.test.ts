import { describe, expect, it } from 'vitest'
import { iterationRow } from '../../test/fixtures'
import type { StopRule } from '@shared/run-config'
import type { IterationRow } from '@shared/run-record'
import { iterationsToThreshold } from './convergence'
import {
  countRows,
  estimateRemaining,
  iterationsDone,
  nothingCounted,
  remainingWords,
  smoothRemaining,
  withMark,
  type Mark,
  type RunSoFar,
  type ShownRemaining,
} from './remaining'

/** Quantities that shrink by a tenth an iteration. */
const shrinking = (iteration: number, run = 0): IterationRow => ({
  ...iterationRow(iteration, 1000 * 0.9 ** iteration + 50, run),
  ...{ shiftSquared: 0.9 ** iteration, maxShift: 0.9 ** (iteration / 2), changed: 1e5 * 0.9 ** iteration },
})
const rowsTo = (count: number, run = 0, row = shrinking) =>
  Array.from({ length: count }, (_, i) => row(i + 1, run))
/** Ten iterations a second. */
const marksTo = (iterations: number): Mark[] =>
  Array.from({ length: iterations + 1 }, (_, i) => ({ atMs: i * 100, iterations: i }))

function runAt(
  iterations: number,
  change: Partial<RunSoFar> & { stop?: StopRule; nInit?: number } = {},
): RunSoFar {
  const { stop = 'relative-shift', nInit = 1, ...rest } = change
  const config = { stop, maxIterations: 300, nInit }
  const rows = rest.rows ?? rowsTo(iterations)
  const counted = countRows(nothingCounted, rows)
  return { config, threshold: 1e-4, marks: marksTo(iterations), ...rest, rows, counted }
}

describe('the iterations a rule still needs', () => {
  // 0.9^88 is the first power of 0.9 that is at most 1e-4.
  it.each([
    ['relative-shift', 1e-4, 88],
    ['coordinate-shift', 1e-2, 88],
    ['labels', 10, 88],
    ['inertia', 0.01, 88],
  ] as const)('%s: carries the trend on to the threshold', (stop, threshold, at) => {
    for (const iteration of [30, 50, 80]) {
      const left = iterationsToThreshold(rowsTo(iteration), stop, threshold)
      expect(Math.abs((left ?? NaN) + iteration - at)).toBeLessThanOrEqual(1)
    }
  })

  it('reads thinned rows by their iterations', () => {
    const every5 = rowsTo(60).filter(({ iteration }) => iteration % 5 === 0)
    expect(iterationsToThreshold(every5, 'relative-shift', 1e-4)).toBe(28)
    expect(Math.abs((iterationsToThreshold(every5, 'inertia', 0.01) ?? NaN) - 28)).toBeLessThanOrEqual(3)
  })

  it('takes the labels to half a point when none may change', () => {
    expect(iterationsToThreshold(rowsTo(40), 'labels', 0)).toBe(76)
  })

  it('says nothing without a trend: too few rows, growth, noise, no threshold, too far', () => {
    expect(iterationsToThreshold(rowsTo(5), 'relative-shift', 1e-4)).toBeNull()
    const growing = rowsTo(20, 0, (i) => ({ ...shrinking(i), shiftSquared: 1.1 ** i }))
    expect(iterationsToThreshold(growing, 'relative-shift', 1e-4)).toBeNull()
    const noisy = rowsTo(20, 0, (i) => ({ ...shrinking(i), shiftSquared: i % 2 === 0 ? 1 : 1e-3 }))
    expect(iterationsToThreshold(noisy, 'relative-shift', 1e-4)).toBeNull()
    expect(iterationsToThreshold(rowsTo(20), 'relative-shift', 0)).toBeNull()
    expect(iterationsToThreshold(rowsTo(20), 'relative-shift', null)).toBeNull()
    expect(iterationsToThreshold(rowsTo(10), 'relative-shift', 1e-40)).toBeNull()
    expect(iterationsToThreshold(rowsTo(20), 'none', 1)).toBeNull()
    const uncounted = rowsTo(20, 0, (i) => ({ ...shrinking(i), changed: null, inertia: null }))
    expect(iterationsToThreshold(uncounted, 'labels', 1)).toBeNull()
    expect(iterationsToThreshold(uncounted, 'inertia', 1)).toBeNull()
  })
})

describe('the time a run still needs', () => {
  it('is what the trend leaves at the speed so far', () => {
    expect(estimateRemaining(runAt(38), 3800)).toEqual({ kind: 'about', ms: 5000 })
    expect(estimateRemaining(runAt(38), 4300)).toEqual({ kind: 'about', ms: 4500 })
  })

  it('is bounded by the limit where there is no trend', () => {
    expect(estimateRemaining(runAt(38, { threshold: 0 }), 3800)).toEqual({ kind: 'at-most', ms: 26_200 })
  })

  it('is the limit when the trend leads beyond it', () => {
    const run = runAt(60)
    const short = { ...run, config: { ...run.config, maxIterations: 80 } }
    expect(estimateRemaining(short, 6000)).toEqual({ kind: 'at-most', ms: 2000 })
  })

  it('is the limit itself for the rule that never stops before', () => {
    expect(estimateRemaining(runAt(100, { stop: 'none' }), 10_000)).toEqual({ kind: 'about', ms: 20_000 })
  })

  it('counts the restarts to come as those that are done', () => {
    const rows = [...rowsTo(40, 0), ...rowsTo(60, 1), ...rowsTo(10, 2)]
    const run = runAt(110, { rows, threshold: 0, nInit: 5 })
    expect(estimateRemaining(run, 11_000)).toEqual({ kind: 'about', ms: (40 + 2 * 50) * 100 })
    const first = runAt(110, { rows: rowsTo(110), threshold: 0, nInit: 3 })
    expect(estimateRemaining(first, 11_000)).toEqual({ kind: 'at-most', ms: (190 + 600) * 100 })
  })

  it('counts every row once, and restarts that no row shows as the others', () => {
    const rows = [...rowsTo(40, 0), ...rowsTo(60, 1), ...rowsTo(10, 2)]
    const once = countRows(nothingCounted, rows)
    expect(iterationsDone(once)).toBe(110)
    const parts = [3, 40, 41, 105, 110].reduce(
      (before, end) => countRows(before, rows.slice(0, end)),
      nothingCounted,
    )
    expect(parts).toEqual(once)
    expect(iterationsDone(countRows(once, [...rows, ...rowsTo(5, 4)]))).toBeCloseTo(4 * (110 / 3) + 5, 9)
  })

  it('takes the speed of late: the newer half of the marks', () => {
    const slowed = [
      ...marksTo(20),
      ...Array.from({ length: 20 }, (_, i) => ({ atMs: 2000 + (i + 1) * 1000, iterations: 21 + i })),
    ]
    const run = runAt(40, { stop: 'none', marks: slowed })
    expect(estimateRemaining(run, 22_000)?.ms).toBeCloseTo(260 * 1000, -3)
  })

  it('is not reported before anything is known, nor beyond two days', () => {
    expect(estimateRemaining(runAt(0), 0)).toBeNull()
    expect(estimateRemaining(runAt(2), 10_000)).toBeNull()
    expect(estimateRemaining(runAt(30, { marks: [{ atMs: 0, iterations: 30 }] }), 1)).toBeNull()
    const run = runAt(30, { stop: 'none' })
    expect(estimateRemaining({ ...run, config: { ...run.config, maxIterations: 1e9 } }, 3000)).toBeNull()
  })

  it('is never below zero, however long nothing is heard', () => {
    expect(estimateRemaining(runAt(88), 1e6)).toEqual({ kind: 'about', ms: 0 })
  })

  it('keeps marks of the last half minute, and at least the last few', () => {
    const fast = marksTo(1000).reduce<readonly Mark[]>(withMark, [])
    expect(fast.length).toBe(301)
    const slow = Array.from({ length: 20 }, (_, i) => ({ atMs: i * 60_000, iterations: i }))
    expect(slow.reduce<readonly Mark[]>(withMark, [])).toHaveLength(8)
  })
})

describe('what is shown of it', () => {
  const shown = (ms: number, kind: 'about' | 'at-most' = 'about'): ShownRemaining => ({
    ...{ kind, ms, atMs: 0, missingSinceMs: null },
  })

  it('counts down with the clock while the estimate holds', () => {
    expect(smoothRemaining(shown(10_000), { kind: 'about', ms: 9900 }, 100)?.ms).toBeCloseTo(9900, 6)
  })

  it('does not jump: a second moves it by less than a third of the way, ten seconds by most of it', () => {
    let state = shown(10_000)
    const seen: number[] = []
    for (let at = 100; at <= 10_000; at += 100) {
      state = smoothRemaining(state, { kind: 'about', ms: 100_000 }, at) ?? state
      seen.push(state.ms)
    }
    for (const [i, ms] of seen.entries()) expect(ms / (seen[i - 1] ?? 10_000)).toBeLessThan(1.1)
    expect(seen[9]).toBeLessThan(40_000)
    expect(seen.at(-1)).toBeGreaterThan(70_000)
  })

  it('never falls below zero', () => {
    expect(smoothRemaining(shown(100), { kind: 'about', ms: 0 }, 60_000)?.ms).toBe(0)
  })

  it('bridges a moment without a basis, then gives up', () => {
    const bridged = smoothRemaining(shown(10_000), null, 1000)
    expect(bridged).toMatchObject({ kind: 'about', ms: 9000 })
    expect(smoothRemaining(bridged, null, 3900)?.ms).toBe(6100)
    expect(smoothRemaining(bridged, null, 4000)).toBeNull()
    expect(smoothRemaining(bridged, { kind: 'at-most', ms: 50_000 }, 3900)?.kind).toBe('about')
    expect(smoothRemaining(bridged, { kind: 'at-most', ms: 50_000 }, 4000)).toMatchObject({
      ...{ kind: 'at-most', ms: 50_000 },
    })
  })

  it('takes over at once that more is known than the limit', () => {
    const better = smoothRemaining(shown(60_000, 'at-most'), { kind: 'about', ms: 7000 }, 100)
    expect(better).toMatchObject({ kind: 'about', ms: 7000 })
  })
})

describe('in words', () => {
  it.each([
    ['about', 0, 'about 1 s left'],
    ['about', 12_400, 'about 12 s left'],
    ['at-most', 12_400, 'at most 13 s left'],
    ['at-most', 38_100, 'at most 40 s left'],
    ['about', 42_000, 'about 40 s left'],
    ['about', 58_000, 'about 1 min left'],
    ['about', 148_000, 'about 2 min 30 s left'],
    ['at-most', 599_000, 'at most 10 min left'],
    ['about', 754_000, 'about 13 min left'],
    ['about', 5_400_000, 'about 1 h 30 min left'],
    ['at-most', 7_190_000, 'at most 2 h left'],
  ] as const)('%s %d ms: %s', (kind, ms, words) => {
    expect(remainingWords({ kind, ms })).toBe(words)
  })
})
