import { describe, expect, it } from 'vitest'
import type { BenchmarkDocument } from './document'
import { speedupsOf, type Speedup } from './speedups'
import { speedupList } from './speedup-list'
import { speedupTable } from './speedup-table'
import { comparisonDocument } from './testing/document'
import { timeTable } from './time-tables'
import { isDecided } from './verdict'

function at(document: BenchmarkDocument, name: string, baseline?: string): Speedup {
  const found = speedupsOf(document, baseline).find(
    ({ row }) => `${row.dataset} ${row.k} ${row.contender}` === name,
  )
  if (found === undefined) throw new Error(`no row ${name}`)
  return found
}

/** The same times for both, but for a factor. */
function twoContenders(factor: number): BenchmarkDocument {
  const document = comparisonDocument()
  const [slow, fast] = document.rows
  const totalsMs = [100, 101, 99, 104, 98]
  const rows = [
    { ...slow, totalsMs },
    { ...fast, totalsMs: totalsMs.map((ms) => ms / factor) },
  ]
  return { ...document, rows }
}

describe('speed-ups', () => {
  it('are ratios of medians to the baseline of the same dataset and k', () => {
    const document = comparisonDocument()
    const { speedup, reason } = at(document, 'uniform 100k 5 cpu/fused')
    expect(speedup).toBeCloseTo(120.02 / 9.52, 10)
    expect(reason).toBeNull()
    expect(at(document, 'uniform 100k 5 cpu/sequential').speedup).toBe(1)
    expect(at(document, 'uniform 100k 5 cpu/sequential', 'cpu/fused').speedup).toBeCloseTo(9.52 / 120.02, 10)
  })

  it('are refused where a result disagrees, whatever its time, and the reason is reported', () => {
    const refused = at(comparisonDocument(), 'iris.csv 3 cuda:0/global-atomics')
    expect(refused).toMatchObject({
      speedup: null,
      interval: null,
      reason: '12 of 150 labels are not the nearest.',
    })
    expect(refused.row.totalsMs).toHaveLength(5)
  })

  it('are refused for a row that calls itself measured but was never verified', () => {
    const document = comparisonDocument()
    const rows = document.rows.map((row) => ({ ...row, verification: null }))
    expect(speedupsOf({ ...document, rows }).every(({ speedup }) => speedup === null)).toBe(true)
  })

  it('are refused for everyone where the baseline disagrees or is not there', () => {
    const document = comparisonDocument()
    expect(at(document, 'iris.csv 3 cpu/fused', 'cuda:0/global-atomics')).toMatchObject({
      speedup: null,
      reason: 'The baseline cuda:0/global-atomics does not count here: 12 of 150 labels are not the nearest.',
    })
    expect(at(document, 'iris.csv 3 cpu/fused', 'cpu/tbb').reason).toBe(
      'The baseline cpu/tbb has no time for iris.csv with k = 3.',
    )
  })

  it('have an interval that holds 1 for noise and does not for a difference, the same at each call', () => {
    const noise = speedupsOf(twoContenders(1.02))[1].interval
    expect(noise?.low).toBeLessThan(1)
    expect(noise?.high).toBeGreaterThan(1.02)
    const real = speedupsOf(twoContenders(1.5))[1].interval
    expect(real?.low).toBeGreaterThan(1.3)
    expect(real?.high).toBeLessThan(1.7)
    expect(speedupsOf(twoContenders(1.5))[1].interval).toEqual(real)
  })

  it('claim no more confidence than five repeats can give, and none for one', () => {
    expect(speedupsOf(twoContenders(2))[1].interval?.level).toBe(0.9375)
    const document = twoContenders(2)
    const rows = document.rows.map((row) => ({ ...row, totalsMs: row.totalsMs.slice(0, 1) }))
    expect(speedupsOf({ ...document, rows })[1]).toMatchObject({ speedup: 2, interval: null })
  })
})

/** The first repeats only. */
function repeated(document: BenchmarkDocument, repeats: number): BenchmarkDocument {
  const rows = document.rows.map((row) => ({ ...row, totalsMs: row.totalsMs.slice(0, repeats) }))
  return { ...document, rows }
}

describe('a speed-up is decided', () => {
  const verdictOf = (document: BenchmarkDocument) => isDecided(speedupsOf(document)[1].interval)

  it('where its interval lies on one side of 1, and not where it holds 1', () => {
    expect(verdictOf(twoContenders(1.5))).toBe(true)
    expect(verdictOf(twoContenders(0.5))).toBe(true)
    expect(verdictOf(twoContenders(1.02))).toBe(false)
  })

  it('by five repeats, not by three or one, whatever the ratio', () => {
    expect([5, 3, 1].map((repeats) => verdictOf(repeated(twoContenders(50), repeats)))).toEqual([
      ...[true, false, false],
    ])
  })

  it('and only then marked as the best; else the tables say that it is not', () => {
    const decided = twoContenders(1.5)
    expect(timeTable(decided).rows[0][5].best).toBe(true)
    expect(speedupTable(decided).rows[0][5]).toMatchObject({ best: true, text: '1.500', note: null })
    for (const open of [twoContenders(1.02), repeated(twoContenders(50), 3)]) {
      const times = timeTable(open)
      expect(times.rows[0].some(({ best }) => best)).toBe(false)
      expect(times.notes[0]).toBe('Which is fastest is inconclusive: uniform 100k, k = 5.')
      const ratios = speedupTable(open)
      expect(ratios.rows[0][5]).toMatchObject({ best: false, text: expect.stringMatching(/^~/) as string })
      expect(ratios.notes.join(' ')).toContain('~ before a speed-up: inconclusive')
      expect(speedupList(open).rows[1].at(-1)?.text).toMatch(/^inconclusive: /)
    }
  })
})

describe('more or fewer iterations than the baseline', () => {
  /** The second contender with so many iterations, the baseline with 20. */
  function withIterations(iterations: number): BenchmarkDocument {
    const document = twoContenders(2)
    const [base, other] = document.rows
    return { ...document, rows: [base, { ...other, iterations }] }
  }

  it('by a tenth leave the speed-up, by more leave none and tell why', () => {
    for (const alike of [18, 22]) expect(speedupsOf(withIterations(alike))[1].speedup).toBeCloseTo(2, 10)
    for (const other of [17, 23, 300]) {
      expect(speedupsOf(withIterations(other))[1]).toMatchObject({
        speedup: null,
        interval: null,
        reason: `It made ${other} iterations where cpu/sequential made 20: compare the times per iteration.`,
      })
      expect(timeTable(withIterations(other)).rows[0].some(({ best }) => best)).toBe(false)
    }
    expect(timeTable(withIterations(300)).notes[0]).toMatch(
      /^No time is marked .* iterations differ .*k = 5\.$/,
    )
    const { rows, notes } = speedupTable(withIterations(300))
    expect(rows[0][5]).toMatchObject({ text: '300 iterations instead of 20', value: null })
    expect(speedupsOf(withIterations(1))[1].reason).toContain('It made 1 iteration where')
    expect(speedupTable(withIterations(1)).rows[0][5].text).toBe('1 iteration instead of 20')
    expect(notes).toContain(
      'cpu/fused has no speed-up where it made another number of iterations than cpu/sequential (uniform 100k, k = 5: 300 instead of 20): compare the times per iteration.',
    )
  })
})
