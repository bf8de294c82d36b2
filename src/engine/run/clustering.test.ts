import { describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { randomPoints, unitPoints } from '@tests/parity/fixtures'
import { preparedPoints } from '@tests/parity/prepared-points'
import { assign } from '@tests/parity/reference'
import { referenceEngine, ReferenceSession } from '@tests/parity/reference-engine'
import { LabError } from '@shared/errors'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type { IterationRow } from '@shared/run-record'
import type { PreparedPoints } from '../dataset/prepared'
import type { Engine } from '../engines/engine'
import { typescriptKernel } from '../init/typescript-kernel'
import { systemSleep } from '../system-sleep'
import { cluster } from './clustering'
import type { RunObserver } from './types'

const never = new AbortController().signal
const device = { id: 'cpu', name: 'Reference', memoryBytes: null, software: false }
const blobs = randomPoints({ n: 600, d: 2, seed: 5, blobs: 6 })
const noise = randomPoints({ n: 600, d: 2, seed: 6 })

function observe() {
  const phases: string[] = []
  const rows: IterationRow[] = []
  const times: number[] = []
  const observer: RunObserver = {
    phase: (phase, restart) => phases.push(`${phase} ${restart}`),
    iterations: (progress) => {
      rows.push(...progress.rows)
      times.push(performance.now())
    },
  }
  return { observer, phases, rows, times }
}

function run(
  points: PreparedPoints,
  config: Partial<RunConfig>,
  { observer = observe().observer, signal = never, engine = referenceEngine as Engine } = {},
) {
  const features = [...Array(points.d).keys()].map((index) => ({
    index,
    name: `x${index}`,
    type: 'numeric' as const,
    because: '',
    missing: 0,
    notNumeric: 0,
    min: null,
    max: null,
    mean: null,
    integer: false,
    proposed: true,
  }))
  const job = {
    points,
    features,
    config: { ...defaultRunConfig, ...config },
    candidates: [{ engine, device, variant: 'sequential' }],
    loadMs: 12,
    kernel: typescriptKernel,
  }
  return cluster(job, observer, signal)
}

describe('the loop', () => {
  it('ends at the fixed point under labels, with results that fit each other', async () => {
    const points = preparedPoints(blobs)
    const { best } = await run(points, { k: 6, stop: 'labels' })
    const expected = assign(points, best.centroids, 6)
    expect(best.summary.stopped).toBe('labels')
    expect(best.labels).toEqual(expected.labels)
    expect([...best.final.sizes]).toEqual([...expected.counts])
    expect(best.final.inertia).toBeCloseTo(expected.inertia, 10)
  })

  it('that goes on when no centroid moves any more says from which iteration on', async () => {
    const points = preparedPoints(blobs)
    const still = /^No centroid moved from iteration (\d+) of 60 on: the iterations after it repeat it/
    const { warnings, best } = await run(points, { k: 6, stop: 'none', maxIterations: 60 })
    const from = Number(warnings.map((warning) => still.exec(warning)?.[1]).find((found) => found))
    const moving = await run(points, { k: 6, stop: 'none', maxIterations: from - 1 })
    const stopped = await run(points, { k: 6, stop: 'coordinate-shift', tolerance: 0, maxIterations: 60 })
    expect(from).toBe(stopped.best.summary.iterations)
    expect(moving.best.stillFrom).toBeNull()
    expect(moving.warnings.filter((warning) => warning.startsWith('No centroid'))).toEqual([])
    expect(best.centroids).toEqual(stopped.best.centroids)
  })

  it('stops at the limit, and says so, under every rule and under none', async () => {
    const points = preparedPoints(blobs)
    for (const stop of ['none', 'relative-shift', 'inertia'] as const) {
      const { best } = await run(points, { k: 6, stop, tolerance: 0, init: 'first-k', maxIterations: 2 })
      expect(best.summary).toMatchObject({ iterations: 2, stopped: 'max-iterations' })
    }
    const long = await run(points, { k: 2, stop: 'none', maxIterations: 60 })
    expect(long.best.summary).toMatchObject({ iterations: 60, stopped: 'max-iterations' })
  })

  it('counts the iteration in which the rule is met, also when it is the last allowed', async () => {
    const points = preparedPoints(blobs)
    const free = await run(points, { k: 6, stop: 'labels', init: 'first-k' })
    const { iterations } = free.best.summary
    const limited = await run(points, { k: 6, stop: 'labels', init: 'first-k', maxIterations: iterations })
    expect(limited.best.summary).toEqual(free.best.summary)
  })

  it('keeps the restart with the smallest inertia, from seeds one apart', async () => {
    const points = preparedPoints(blobs)
    const { best, restarts } = await run(points, { k: 6, init: 'random', seed: 40, nInit: 6 })
    expect(restarts.map(({ seed }) => seed)).toEqual([40, 41, 42, 43, 44, 45])
    expect(best.summary.inertia).toBe(Math.min(...restarts.map(({ inertia }) => inertia)))
    const alone = await run(points, { k: 6, init: 'random', seed: best.summary.seed })
    expect(alone.best.labels).toEqual(best.labels)
    expect(alone.best.summary.inertia).toBe(best.summary.inertia)
  })

  it('takes the earlier of two equal restarts', async () => {
    const { best } = await run(preparedPoints(blobs), { k: 6, init: 'first-k', nInit: 3 })
    expect(best.summary.run).toBe(0)
  })

  it('gives the same run at any power of two of the units', async () => {
    const one = await run(preparedPoints(blobs), { k: 6, history: true, tolerance: 1e-3 })
    const large = await run(preparedPoints(blobs, 40), { k: 6, history: true, tolerance: 1e-3 })
    expect(large.best.labels).toEqual(one.best.labels)
    expect(large.best.summary.iterations).toBe(one.best.summary.iterations)
    expect(large.best.summary.inertia).toBe(one.best.summary.inertia * 4 ** 40)
    const shift = (rows: readonly IterationRow[]) => rows.map(({ maxShift }) => maxShift)
    expect(shift(large.history.rows)).toEqual(shift(one.history.rows).map((value) => value * 2 ** 40))
  })

  it('measures coordinate shifts and inertia in units of the scaled data', async () => {
    for (const stop of ['coordinate-shift', 'inertia'] as const) {
      const { history, best } = await run(preparedPoints(noise, 10), {
        k: 6,
        stop,
        init: 'first-k',
        tolerance: stop === 'inertia' ? 1e5 : 10,
        history: true,
      })
      expect(best.summary.iterations).toBeGreaterThan(2)
      const rows = history.rows
      if (stop === 'coordinate-shift') {
        expect(rows.at(-1)?.maxShift).toBeLessThan(10 * Math.SQRT2)
        expect(rows.at(-2)?.maxShift).toBeGreaterThan(10)
      } else {
        const drops = rows.slice(1).map(({ inertia }, i) => (rows[i].inertia ?? 0) - (inertia ?? 0))
        expect(drops.pop()).toBeLessThan(1e5)
        expect(Math.min(...drops)).toBeGreaterThanOrEqual(1e5)
      }
    }
  })

  it('keeps a history only when asked, of every restart, with its centroids', async () => {
    const points = preparedPoints(blobs)
    const without = await run(points, { k: 3 })
    expect(without.history.rows).toEqual([])
    const { history, restarts, best } = await run(points, { k: 3, nInit: 2, centroidHistory: true })
    const total = restarts.reduce((sum, { iterations }) => sum + iterations, 0)
    expect(history.rows).toHaveLength(total)
    expect(history.centroids).toHaveLength(total)
    const ofBest = history.centroids.filter((_, i) => history.rows[i].run === best.summary.run)
    expect(ofBest.at(-1)).toEqual(best.centroids)
    expect(history.rows[0]).toMatchObject({ run: 0, iteration: 1, changed: 600 })
  })

  it('drops clusters without a trace of NaN in sizes or inertia', async () => {
    const points = preparedPoints(unitPoints(Float64Array.of(0, 0, 0, 0, 4, 4), 6, 1))
    const { best } = await run(points, { k: 4, init: 'first-k', empty: 'drop' })
    expect([...best.final.sizes]).toEqual([6, 0, 0, 0])
    expect(best.centroids.filter(Number.isNaN)).toHaveLength(3)
    expect([...best.final.inertias].every(Number.isFinite)).toBe(true)
  })
})

describe('progress', () => {
  it('names the phases in order and tells every iteration once', async () => {
    const watch = observe()
    const { best } = await run(preparedPoints(blobs), { k: 6, stop: 'labels' }, { observer: watch.observer })
    expect(watch.phases).toEqual(['uploading 0', 'seeding 0', 'iterating 0', 'finishing 0'])
    expect(watch.rows.map(({ iteration }) => iteration)).toEqual(
      Array.from({ length: best.summary.iterations }, (_, i) => i + 1),
    )
  })

  it('calls at most about ten times a second, however many restarts there are', measuresTime, async () => {
    const watch = observe()
    const began = performance.now()
    await run(preparedPoints(blobs), { k: 6, nInit: 60, init: 'random' }, { observer: watch.observer })
    const most = 2 + (performance.now() - began) / 100
    expect(watch.times.length).toBeLessThanOrEqual(most)
    expect(watch.phases.length).toBeLessThanOrEqual(4 + most)
    expect(new Set(watch.rows.map((row) => row.run)).size).toBe(60)
  })

  it('adds the phases up to the total', async () => {
    const { timings } = await run(preparedPoints(blobs), { k: 6 })
    const { uploadMs, initMs, downloadMs, otherMs, totalMs, loadMs } = timings
    expect(loadMs).toBe(12)
    expect(uploadMs + initMs + downloadMs + otherMs).toBeCloseTo(totalMs, 6)
  })
})

describe('a cancel', () => {
  it(
    'is answered within 200 ms though the engine is deaf, and closes the session after its last call',
    measuresTime,
    async () => {
      const control = new AbortController()
      const calls: string[] = []
      let release = (): void => undefined
      const deaf: Engine = {
        ...referenceEngine,
        open: async (points, config) => {
          const session = new ReferenceSession(points, config)
          session.advance = () => new Promise((resolve) => (release = () => resolve([])))
          session.close = async () => void calls.push('close')
          return session
        },
      }
      const running = run(preparedPoints(blobs), { k: 6 }, { signal: control.signal, engine: deaf })
      setTimeout(() => control.abort(), 20)
      const began = performance.now()
      await expect(running).rejects.toMatchObject({ kind: 'cancelled' })
      expect(performance.now() - began).toBeLessThan(200)
      expect(calls).toEqual([])
      release()
      await new Promise((resolve) => setTimeout(resolve, 10))
      expect(calls).toEqual(['close'])
    },
  )

  it.each([
    ['between iterations', { k: 6, init: 'first-k', stop: 'none', maxIterations: 1e9 }],
    ['during k-means++', { k: 500, init: 'k-means++' }],
    ['during k-means||', { k: 500, init: 'k-means||' }],
  ] as const)('is heard %s', measuresTime, async (_, config) => {
    const points = preparedPoints(randomPoints({ n: 20_000, d: 8, seed: 1 }))
    const control = new AbortController()
    let aborted = 0
    setTimeout(() => {
      aborted = performance.now()
      control.abort()
    }, 50)
    await expect(run(points, config, { signal: control.signal })).rejects.toMatchObject({ kind: 'cancelled' })
    expect(performance.now() - aborted).toBeLessThan(200)
  })
})

describe('a computer that sleeps', () => {
  it(
    'counts as no time of the run, which waits between two iterations and says so',
    measuresTime,
    async () => {
      const points = preparedPoints(noise)
      const config = { k: 6, stop: 'none', maxIterations: 5 } as const
      const sleepy: Engine = {
        ...referenceEngine,
        open: async (given, session) => {
          const reference = new ReferenceSession(given, session)
          const advance = reference.advance.bind(reference)
          reference.advance = (_budget, signal) => {
            systemSleep.begin()
            setTimeout(() => systemSleep.end(), 50)
            return advance({ iterations: 1, milliseconds: 1e9 }, signal)
          }
          return reference
        },
      }
      const began = performance.now()
      const { timings, warnings, best } = await run(points, config, { engine: sleepy })
      expect(timings.totalMs).toBeLessThan(performance.now() - began - 5 * 45)
      expect(warnings.join()).toContain('The computer slept during this run')
      const awake = await run(points, config)
      expect(best.centroids).toEqual(awake.best.centroids)
      expect(awake.warnings).toEqual([])
    },
  )
})

describe('an engine with something unusual to say', () => {
  it('has it among the warnings of the run', async () => {
    const streaming: Engine = {
      ...referenceEngine,
      open: async (points, config) =>
        Object.assign(new ReferenceSession(points, config), { warnings: ['The points are sent anew.'] }),
    }
    const { warnings } = await run(preparedPoints(blobs), { k: 6 }, { engine: streaming })
    expect(warnings).toContain('The points are sent anew.')
  })
})

describe('an engine that fails', () => {
  it('that loses its device is named, with what to try next', async () => {
    const dying: Engine = {
      ...referenceEngine,
      id: 'webgpu',
      open: async (points, config) => {
        const session = new ReferenceSession(points, config)
        session.advance = () => Promise.reject(new LabError('engine-lost', 'webgpu.lost', 'Device lost.'))
        return session
      },
    }
    await expect(run(preparedPoints(blobs), { k: 2 }, { engine: dying })).rejects.toMatchObject({
      kind: 'engine-lost',
      message:
        'The webgpu engine lost its device Reference in the middle of the run: run again, or choose the cpu engine.',
      details: 'Device lost.',
    })
  })

  it('that gives labels of no cluster is not believed', async () => {
    const wrong: Engine = {
      ...referenceEngine,
      open: async (points, config) => {
        const session = new ReferenceSession(points, config)
        const read = session.read.bind(session)
        session.read = async () => ({ ...(await read()), labels: new Int32Array(points.n).fill(99) })
        return session
      },
    }
    await expect(run(preparedPoints(blobs), { k: 2 }, { engine: wrong })).rejects.toMatchObject({
      code: 'run.inconsistent-labels',
    })
  })
})
