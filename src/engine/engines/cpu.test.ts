import { describe, expect, it } from 'vitest'
import { cpuEngine } from './cpu'
import { reference } from './cpu/testing/reference'
import { blobs, lattice, optionsFor, pointsOf } from './cpu/testing/points'
import type { Coordinates, IterationStats, Points, SessionConfig } from './engine'

const never = new AbortController().signal
const whole = { iterations: 1000, milliseconds: 60_000 }

interface Outcome {
  readonly iterations: readonly IterationStats[]
  readonly labels: Int32Array
  readonly centroids: Coordinates
  readonly inertia: number | null
}

async function cluster(
  points: Points,
  config: SessionConfig,
  centroids: Coordinates,
  budget = whole,
  most = 40,
): Promise<Outcome> {
  const session = await cpuEngine.open(points, config, 'cpu')
  try {
    await session.start(centroids)
    const iterations: IterationStats[] = []
    while (iterations.length < most && iterations.at(-1)?.stop !== true) {
      const left = Math.min(budget.iterations, most - iterations.length)
      iterations.push(...(await session.advance({ ...budget, iterations: left }, never)))
    }
    // What a run would go on from, were the device lost now.
    const reported = session.centroids?.()
    const { labels, centroids: after, inertia } = await session.read()
    expect(reported).toEqual(after)
    return { iterations, labels, centroids: after, inertia }
  } finally {
    await session.close()
  }
}

async function withEnvironment<Answer>(
  name: string,
  value: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const before = process.env[name]
  process.env[name] = value
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}

const available = await cpuEngine.availability()
if (!available.available) console.warn(`CPU engine tests are skipped: ${available.reason}`)
// Approximate ones have tests of their own: no reference has their centroids.
const variants = cpuEngine
  .variants()
  .filter(({ exact }) => exact)
  .map(({ id }) => id)

describe.skipIf(!available.available).each(variants)('cpu engine, variant %s', (variant) => {
  it.each([
    { n: 1, d: 1, k: 1 },
    { n: 65, d: 1, k: 3 },
    { n: 257, d: 2, k: 7 },
    { n: 1023, d: 3, k: 64 },
    { n: 500, d: 8, k: 33 },
    { n: 300, d: 31, k: 50 },
    { n: 128, d: 300, k: 9 },
  ])('agrees step by step with float64 loops: n $n, d $d, k $k', async ({ n, d, k }) => {
    const points = blobs(n, d, 7)
    const config = optionsFor({ variant, k, trackInertia: true, trackCentroids: true, trackChanged: true })
    let centroids: Coordinates = points.x.slice(0, k * d)
    const { iterations } = await cluster(points, config, centroids, whole, 6)
    expect(iterations.map(({ iteration }) => iteration)).toEqual(iterations.map((_, at) => at + 1))
    for (const iteration of iterations) {
      const expected = reference(points, Float32Array.from(centroids), k)
      const after = iteration.centroids as Coordinates
      expect(Math.abs((iteration.inertia as number) - expected.inertia)).toBeLessThan(1e-9 * expected.spread)
      after.forEach((value, at) => expect(Math.abs(value - expected.means[at])).toBeLessThan(1e-6))
      expect(iteration.emptyClusters).toBe(expected.empty)
      centroids = after
    }
  })

  it('labels every point with its nearest centroid, ties with the lowest index', async () => {
    const points = lattice(1000, 3)
    const k = 40
    const centroids = points.x.slice(0, k * 3)
    const session = await cpuEngine.open(points, optionsFor({ variant, k }), null)
    await session.start(centroids)
    const { labels, inertia } = await session.read()
    await session.close()
    const expected = reference(points, Float32Array.from(centroids), k)
    expect([...labels]).toEqual([...expected.labels])
    expect(inertia).toBeCloseTo(expected.inertia, 9)
  })

  it('gives the same bytes for any number of threads and any budget', async () => {
    const points = blobs(5000, 5, 3)
    const k = 60
    const config = optionsFor({ variant, k, trackCentroids: true, trackInertia: true, trackChanged: true })
    const start = points.x.slice(0, k * 5)
    const once = await cluster(points, config, start)
    const pieces = await cluster(points, config, start, { iterations: 1, milliseconds: 0 })
    expect(pieces).toEqual(once)
    for (const threads of ['1', '2', '5']) {
      const other = await withEnvironment('CENTROID_LAB_THREADS', threads, () =>
        cluster(points, config, start),
      )
      expect(other).toEqual(once)
    }
  })

  it('answers nothing when aborted before it began', async () => {
    const points = blobs(100, 2, 1)
    const session = await cpuEngine.open(points, optionsFor({ variant, k: 2 }), null)
    await session.start(points.x.slice(0, 4))
    expect(await session.advance(whole, AbortSignal.abort())).toEqual([])
    await session.close()
  })

  describe('empty clusters', () => {
    // Four points on a line; the third centroid is far from all of them.
    const points = pointsOf([0, 0.125, 0.5, 1], 1)
    const start = Float32Array.from([0, 0.75, -1])
    const run = (empty: SessionConfig['empty']) =>
      cluster(points, optionsFor({ variant, k: 3, empty, trackCentroids: true }), start, whole, 1)

    it('keep their centroid', async () => {
      const { iterations } = await run('keep')
      expect(iterations[0].emptyClusters).toBe(1)
      expect([...(iterations[0].centroids as Coordinates)]).toEqual([0.0625, 0.75, -1])
    })

    it('move to the farthest point, which leaves its donor', async () => {
      const { iterations } = await run('farthest')
      expect([...(iterations[0].centroids as Coordinates)]).toEqual([0.0625, 1, 0.5])
    })

    it('are dropped, and the others keep their indices', async () => {
      const config = optionsFor({ variant, k: 3, empty: 'drop', trackCentroids: true })
      const { iterations, labels, centroids } = await cluster(
        points,
        config,
        Float32Array.from([0, -1, 0.75]),
      )
      expect(iterations[0].emptyClusters).toBe(1)
      expect(iterations.slice(1).map(({ emptyClusters }) => emptyClusters)).not.toContain(1)
      expect([...centroids]).toEqual([0.0625, NaN, 0.75])
      expect([...labels]).toEqual([0, 0, 2, 2])
    })
  })

  it('reports only the times that were asked for', async () => {
    const points = blobs(200, 2, 1)
    const start = points.x.slice(0, 6)
    const first = async (timing: SessionConfig['timing']) => {
      const { iterations } = await cluster(points, optionsFor({ variant, k: 3, timing }), start, whole, 1)
      return iterations[0]
    }
    const total = await first('total')
    expect([total.totalMs, total.assignMs, total.iterateMs]).toEqual([null, null, null])
    const iterations = await first('iterations')
    expect(iterations.totalMs).toBeGreaterThan(0)
    expect(iterations.convergeMs).toBeNull()
    const phases = await first('phases')
    const parts = [phases.assignMs, phases.updateMs, phases.convergeMs, phases.iterateMs]
    const sum = parts.reduce<number>((so, part) => so + (part ?? 0), 0)
    expect(phases.assignMs === null).toBe(phases.iterateMs !== null)
    expect(sum).toBeLessThanOrEqual(phases.totalMs as number)
  })
})

describe.skipIf(!available.available)('cpu engine', () => {
  it('refuses what it cannot work on, with a sentence', async () => {
    const points = blobs(10, 2, 1)
    await expect(cpuEngine.open(points, optionsFor({ variant: 'nowhere', k: 2 }), null)).rejects.toThrow(
      /Expected one of .*sequential/,
    )
    await expect(cpuEngine.open(points, optionsFor({ k: 2 }), 'cpu:7')).rejects.toThrow(/no device cpu:7/)
    await expect(cpuEngine.open(points, optionsFor({ k: 11 }), null)).rejects.toThrow(/at most n for k/)
    const wild = { ...points, x: points.x.map(() => Infinity) }
    await expect(cpuEngine.open(wild, optionsFor({ k: 2 }), null)).rejects.toThrow(/not finite/)
    const short = { ...points, x: points.x.subarray(1) }
    await expect(cpuEngine.open(short, optionsFor({ k: 2 }), null)).rejects.toThrow(/20 values for x/)
  })

  it('says how much memory a variant would need before it takes any', async () => {
    const endless = { ...blobs(10, 2, 1), n: 2 ** 30 }
    await expect(
      cpuEngine.open(endless, optionsFor({ variant: 'distance-matrix', k: 2 ** 30 }), null),
    ).rejects.toMatchObject({
      kind: 'input',
      message: expect.stringMatching(
        /^The variant 'distance-matrix' would need 4294967296\.0 GiB of memory/,
      ) as string,
    })
  })

  it('builds the regime that its table plans, or the one that is named, and tells it', async () => {
    const points = blobs(300, 2, 1)
    const reported = async (more: Partial<SessionConfig>) => {
      const session = await cpuEngine.open(points, optionsFor({ variant: 'fused', k: 5, ...more }), null)
      await session.close()
      return session.plan
    }
    expect(await reported({})).toEqual({
      regime: 'tiled',
      reason: 'Below 32 centroids, computing every distance takes least.',
    })
    const named = { regime: 'ordered-boxes', reason: 'It was asked for by name.' }
    expect(await reported({ regime: 'ordered-boxes' })).toEqual(named)
    await expect(reported({ regime: 'boxes' })).rejects.toThrow(/ordered-boxes, projected-scores/)
  })

  it('says what the probe of the data led to', async () => {
    const [n, d, k] = [40_000, 6, 128]
    const noise = blobs(n, d, 1)
    const plane = pointsOf(
      noise.x.map((value, at) => noise.x[(Math.floor(at / d) % 29) * d + (at % d)] + value / 1000),
      d,
    )
    let state = 1
    const next = () => (state = (state * 48271) % 2147483647) / 2 ** 31
    const scattered = pointsOf(Float32Array.from({ length: n * d }, next), d)
    for (const [points, regime] of [
      [plane, 'ordered-boxes'],
      [scattered, 'tiled-scores'],
    ] as const) {
      const session = await cpuEngine.open(points, optionsFor({ variant: 'fused', k }), null)
      expect(session.plan?.regime).toBe(regime)
      await session.close()
    }
  })

  it('answers a second call while busy with an error and works on', async () => {
    const points = blobs(50_000, 8, 1)
    const session = await cpuEngine.open(points, optionsFor({ k: 100 }), null)
    await session.start(points.x.slice(0, 800))
    const first = session.advance({ iterations: 2, milliseconds: 60_000 }, never)
    await expect(session.read()).rejects.toThrow(/busy/)
    expect(await first).toHaveLength(2)
    await session.close()
    await expect(session.read()).rejects.toThrow(/closed/)
  })

  it('says what it was built with', async () => {
    const versions = await cpuEngine.versions()
    expect(versions['cpu compiler']).toMatch(/\d+\.\d+/)
    expect((await cpuEngine.devices())[0].id).toBe('cpu')
  })
})
