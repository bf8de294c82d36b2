import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { limitNotes } from '@shared/benchmark/cell-limit'
import type { PlannedCell } from '@shared/benchmark/document'
import { gapWords } from '@shared/benchmark/gap-words'
import { speedupsOf } from '@shared/benchmark/speedups'
import { LabError } from '@shared/errors'
import { systemSleep } from '../system-sleep'
import { documentSchema } from './document-schema'
import { newDocument } from './new-document'
import { planSuite } from './plan'
import { runBenchmark } from './run-benchmark'
import { fakeEngine, measure, suiteOf, dependencies, watching, type Manner } from './testing/fakes'
import { withOwnCache } from './testing/cache-folder'

withOwnCache()

const plain: Manner = {}

describe('a comparison', () => {
  it('lets the contenders take turns, another one first in each round', async () => {
    const { document, marks } = await measure({ a: plain, b: plain, c: plain })
    const [, ...pieces] = marks
    expect(pieces.join('')).toBe(['abc', 'abc', 'abc', 'bca', 'cab'].join(''))
    expect(document.state).toBe('done')
    expect(document.rows.map(({ state, totalsMs }) => [state, totalsMs.length])).toEqual(
      Array(3).fill(['measured', 3]),
    )
  })

  it('is not written whole after each of many cases, where that takes long, but at its end', async () => {
    const { watch } = watching()
    const written: number[] = []
    const kept: number[] = []
    const keep = async ({ rows }: { readonly rows: readonly unknown[] }, isDue: boolean) => {
      kept.push(rows.length)
      if (isDue) written.push(rows.length)
      if (isDue) await delay(200)
    }
    const [one] = suiteOf(['a']).cases
    const k = Array.from({ length: 12 }, (_, at) => at + 1)
    const suite = suiteOf(['a'], { cases: [{ dataset: one.dataset, k }], repeats: 1, warmup: 0 })
    const engine = dependencies(fakeEngine({ a: plain }))
    await runBenchmark(await newDocument(suite), engine, { ...watch, keep })
    expect(kept).toEqual([0, ...k, 12])
    // The plan, the first case, the end, and hardly more on a slow machine.
    expect(written.length).toBeLessThan(8)
    expect(written.at(-1)).toBe(12)
  })

  it('says what ran, from the same start, as the reference has it', async () => {
    const { rows } = await measure({ sequential: plain, other: plain })
    expect(rows['other']).toMatchObject({ iterations: 3, n: 300, d: 2, engine: 'cpu', device: 'cpu' })
    expect(rows['other']?.verification).toMatchObject({
      agrees: true,
      reference: 'cpu/sequential',
      labelAgreement: 1,
      centroidDifference: 0,
    })
  })

  it('keeps the hash of a result that was checked, and none of one that is wrong', async () => {
    const wrong: Manner = {
      onRead: (read) => ({ ...read, labels: read.labels.map((label) => (label + 1) % 4) }),
    }
    const { rows } = await measure({ one: plain, other: plain, wrong })
    expect(rows['one']?.resultSha256).toMatch(/^[0-9a-f]{64}$/)
    expect(rows['other']?.resultSha256).toBe(rows['one']?.resultSha256)
    expect(rows['wrong']?.resultSha256).toBeUndefined()
  })

  it('refuses a speed-up to labels that are wrong, and shows the times', async () => {
    const wrong: Manner = {
      onRead: (read) => ({
        ...read,
        labels: read.labels.map((label, i) => (i === 7 ? (label + 1) % 4 : label)),
      }),
    }
    const { rows, document } = await measure({ right: plain, wrong })
    expect(rows['right']?.state).toBe('measured')
    expect(rows['wrong']).toMatchObject({ state: 'disagrees', verification: { agrees: false } })
    expect(rows['wrong']?.reason).toBe(
      '1 label of 300 is not that of the nearest centroid, from the shared start.',
    )
    expect(rows['wrong']?.totalsMs).toHaveLength(3)
    expect(speedupsOf(document).map(({ speedup }) => speedup)).toEqual([1, null])
  })

  it('refuses a speed-up to means that are a little off', async () => {
    const off: Manner = { onRead: (read) => ({ ...read, centroids: read.centroids.map((c) => c + 1e-4) }) }
    const { rows } = await measure({ right: plain, off })
    expect(rows['off']?.state).toBe('disagrees')
    expect(rows['off']?.reason).toMatch(/^A centroid is off by .* of its feature's range/)
  })

  it('refuses a speed-up to later runs that are not the one that was checked', async () => {
    let reads = 0
    // Within the tolerance of a mean each time, but not the same again.
    const wavering: Manner = {
      onRead: (read) => {
        reads++
        return { ...read, centroids: read.centroids.map((c) => c + 2e-7 * (reads % 7)) }
      },
    }
    const { rows } = await measure({ right: plain, wavering })
    expect(rows['right']?.state).toBe('measured')
    expect(rows['wavering']?.state).toBe('disagrees')
    expect(rows['wavering']?.reason).toMatch(/^A later run from the same start gave a different result/)
  })

  it('refuses a speed-up to a centroid that is not a number', async () => {
    // As a division by the members of an empty cluster leaves it.
    const lost: Manner = {
      onRead: (read) => ({ ...read, centroids: read.centroids.map((c, at) => (at < 2 ? Number.NaN : c)) }),
    }
    const { rows } = await measure({ right: plain, lost })
    expect(rows['lost']).toMatchObject({ state: 'disagrees', verification: { agrees: false } })
    expect(rows['lost']?.reason).toMatch(/^A centroid is no mean at all/)
  })

  it('says why a contender broke, or is not there, and goes on with the others', async () => {
    const broken: Manner = { onRead: () => Promise.reject(new Error('no more')) }
    const { rows } = await measure(
      { right: plain, broken },
      { contenders: [...suiteOf(['right', 'broken', 'absent']).contenders] },
    )
    expect(rows['right']?.state).toBe('measured')
    expect(rows['broken']).toMatchObject({ state: 'failed', totalsMs: [] })
    expect(rows['absent']).toMatchObject({ state: 'skipped', verification: null })
    expect(rows['absent']?.reason).toContain("no variant 'absent'")
  })
})

describe('a computer that sleeps while times are compared', () => {
  it('costs no repeat: what it slept through, or lost by it, is made again', async () => {
    // Its third piece of work, after the look at it and the warm-up, is the first repeat that counts.
    let pieces = 0
    const { watch } = watching(({ contender }) => (pieces += Number(contender === 'cpu/sleepless')))
    let nights = 0
    let ended = 0
    const sleepless: Manner = {
      onAdvance: async (done) => {
        if (pieces < 3 || nights === 2) return done
        systemSleep.begin()
        setTimeout(() => systemSleep.end(), 50)
        if (++nights === 2) throw new LabError('engine-lost', 'cuda.lost', 'Device lost.')
        return done
      },
      onRead: (read) => {
        ended += Number(pieces >= 3)
        return read
      },
    }
    const manners = { right: plain, sleepless }
    const document = await newDocument(suiteOf(Object.keys(manners)))
    const { rows } = await runBenchmark(document, dependencies(fakeEngine(manners)), watch)
    const row = rows.find(({ variant }) => variant === 'sleepless')
    expect(row).toMatchObject({ state: 'measured' })
    expect(row?.totalsMs).toHaveLength(3)
    // The one it slept through, and the three that count; the one it lost did not come so far.
    expect({ nights, ended }).toEqual({ nights: 2, ended: 4 })
  })
})

describe('a comparison that is cancelled', () => {
  it('keeps the finished cases and is resumed where it stopped', async () => {
    const suite = suiteOf(['a', 'b'], { repeats: 1, warmup: 0 })
    const cases = [{ ...suite.cases[0], k: [2, 3] }] as typeof suite.cases
    const around = dependencies(fakeEngine({ a: plain, b: plain }))
    const first = watching((cell, controller) => {
      if (cell.k === 3) controller.abort()
    })
    const stopped = await runBenchmark(await newDocument({ ...suite, cases }), around, first.watch)
    expect(stopped.state).toBe('cancelled')
    expect(stopped.rows.map(({ k, contender }) => `${k} ${contender}`)).toEqual(['2 cpu/a', '2 cpu/b'])
    const second = watching((cell) => expect(cell.k).toBe(3))
    const whole = await runBenchmark(stopped, around, second.watch)
    expect(whole.state).toBe('done')
    expect(whole.rows).toHaveLength(4)
    expect(whole.rows.slice(0, 2)).toEqual(stopped.rows)
  })
})

describe('a cell with a limit', () => {
  /** A comparison of 20 iterations whose plan is as it is given for `slow`. */
  async function limited(slow: Manner, cell: Partial<PlannedCell>, maxCellSeconds: number, repeats = 3) {
    const { watch, marks } = watching()
    const manners = { right: plain, slow }
    const { config } = suiteOf(['right'])
    const suite = suiteOf(Object.keys(manners), {
      config: { ...config, maxIterations: 20 },
      ...{ repeats, maxCellSeconds },
    })
    const engine = dependencies(fakeEngine(manners))
    const { maxCellSeconds: _, ...unlimited } = suite
    const { cells } = await planSuite(unlimited, engine, watch.signal)
    const plan = cells.map((one) => (one.variant === 'slow' ? { ...one, ...cell } : one))
    const document = await runBenchmark(await newDocument(suite, plan), engine, watch)
    return { document, marks, row: document.rows.find(({ variant }) => variant === 'slow') }
  }
  const shortened = { iterations: 5, warmup: 0, repeats: 1 }

  it('makes the iterations that it has time for, and holds what they come to and what they took', async () => {
    const { row, marks, document } = await limited(plain, { shortened }, 600)
    expect(marks.filter((name) => name === 'slow')).toHaveLength(2)
    // Prepared, checked, warmed up, and three repeats.
    expect(marks.filter((name) => name === 'right')).toHaveLength(6)
    expect(row).toMatchObject({ state: 'measured', iterations: 20, inertia: null, shortened })
    const { scaledFrom, totalsMs, perIterationMs } = row!
    expect(scaledFrom).toMatchObject({ iterations: 5, totalsMs: [expect.any(Number)] })
    expect(totalsMs[0]).toBeCloseTo((scaledFrom?.totalsMs[0] ?? NaN) + 15 * (perIterationMs ?? NaN), 6)
    expect(row?.phases?.totalMs).toBeCloseTo(totalsMs[0], 6)
    expect(row?.verification).toMatchObject({
      ...{ agrees: true, referenceIterations: 20 },
      ...{ labelAgreement: null, centroidDifference: null },
    })
    expect(document.rows[0]).not.toHaveProperty('scaledFrom')
    expect(v.safeParse(documentSchema, JSON.parse(JSON.stringify(document))).output).toEqual(document)
  })

  it('makes fewer repeats of all iterations, and nothing of it is scaled', async () => {
    const { row } = await limited(plain, { shortened: { iterations: 20, warmup: 0, repeats: 2 } }, 600)
    expect(row?.totalsMs).toHaveLength(2)
    expect(row).not.toHaveProperty('scaledFrom')
    expect(row?.verification?.labelAgreement).toBe(1)
  })

  const slow: Manner = { onAdvance: (done) => delay(100, done) }

  it('is ended at the limit where nothing was foretold, and says so', async () => {
    const { row, document } = await limited(slow, { predictedMs: null }, 0.15)
    expect(row).toMatchObject({
      state: 'skipped',
      reason: 'Ended after 0.15 s: its time could not be predicted; the limit of a cell is 0.15 s.',
    })
    expect(gapWords(document, row!)).toBe('ended after 0.15 s')
    expect(document.rows[0]).toMatchObject({ state: 'measured' })
  })

  it('keeps the repeats that it made before it was ended', async () => {
    let runs = 0
    const later: Manner = {
      onRead: (read) => {
        runs++
        return read
      },
      onAdvance: (done) => (runs > 8 ? delay(2000, done) : Promise.resolve(done)),
    }
    const { row, document } = await limited(later, { predictedMs: null }, 1.5, 30)
    expect(row?.state).toBe('measured')
    expect(row?.totalsMs.length).toBeGreaterThan(0)
    expect(row?.totalsMs.length).toBeLessThan(30)
    expect(limitNotes(document).join()).toMatch(/: \d of 30 repeats, then ended: cpu\/slow/)
  })
})
