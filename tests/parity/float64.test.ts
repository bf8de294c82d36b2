import { describe, expect, it } from 'vitest'
import { engines } from '@engine/engines'
import type { AnyPoints, Coordinates, Engine, SessionConfig } from '@engine/engines/engine'
import { float64Variants } from '@shared/precision'
import { generator } from './fixtures'
import {
  assign,
  describe as describeLabels,
  inexactLabels,
  shiftOf,
  totalSumOfSquares,
  update,
} from './reference'
import { sessionConfig } from './session-config'

/** Unit of the bound of kernels/contract.md for runs in float64: the variants' roundings and the reference's. */
const unit = 2 ** -51
const never = new AbortController().signal
const available = await engines.cpu.availability()
const offered = engines.cpu.variants().map(({ id }) => id)
const variants = float64Variants.filter((variant) => offered.includes(variant))

function pointsOf(n: number, d: number, valueAt: (at: number) => number): AnyPoints {
  const x = Float64Array.from({ length: n * d }, (_, at) => valueAt(at))
  return { x, n, d, maxAbs: new Float32Array(d).fill(1) }
}

/** What float32 cannot hold apart: steps of 2^-40 about a half, many of them equal, and a constant column. */
const kinds = {
  noise: (next: () => number) => () => 2 * next() - 1,
  lattice: (next: () => number) => () => 0.5 + Math.floor(5 * next()) * 2 ** -40,
  ties: (next: () => number) => (at: number) => (at % 2 === 0 ? 0.625 : Math.floor(3 * next()) / 4),
} satisfies Record<string, (next: () => number) => (at: number) => number>

async function withSession<T>(
  variant: string,
  points: AnyPoints,
  config: Partial<SessionConfig> & { readonly k: number },
  work: (session: Awaited<ReturnType<Engine['open']>>) => Promise<T>,
): Promise<T> {
  const session = await engines.cpu.open(points, sessionConfig(variant, config), 'cpu')
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

describe.skipIf(!available.available).each(variants)('%s in float64', (variant) => {
  const shapes = [1, 2, 3, 7, 8, 9, 14].flatMap((d) => [1, 5, 64].map((k) => ({ n: 301, d, k })))

  it.each(shapes)('agrees step by step with float64: n $n, d $d, k $k', async ({ n, d, k }) => {
    for (const [kind, values] of Object.entries(kinds)) {
      const points = pointsOf(n, d, values(generator(d * 100 + k)))
      let centroids: Coordinates = points.x.slice(0, k * d)
      await withSession(variant, points, { k }, async (session) => {
        for (let step = 0; step < 3; step++) {
          await session.start(centroids)
          const { labels, inertia } = await session.read()
          const where = `${kind}, step ${step}`
          const reference = assign(points, centroids, k)
          expect(inexactLabels(points, centroids, labels, reference.nearest, unit), where).toBe(0)
          if (step === 0 && kind !== 'noise') expect(labels, where).toEqual(reference.labels)
          const assignment = describeLabels(points, centroids, labels, k)
          const slack = 1e-12 * totalSumOfSquares(points) + Number.MIN_VALUE
          expect(Math.abs((inertia ?? Number.NaN) - assignment.inertia), where).toBeLessThanOrEqual(slack)
          await session.start(centroids)
          const [stats] = await session.advance({ iterations: 1, milliseconds: 60_000 }, never)
          const after = stats.centroids ?? new Float32Array()
          expect(after).toBeInstanceOf(Float64Array)
          const expected = update(points, centroids, assignment, k, 'keep')
          expected.forEach((value, at) =>
            expect(Math.abs(after[at] - value), where).toBeLessThanOrEqual(1e-15),
          )
          const shift = shiftOf(centroids, after, k, d)
          expect(Math.abs(stats.shiftSquared - shift.squared), where).toBeLessThanOrEqual(
            1e-12 * shift.squared,
          )
          centroids = after
        }
      })
    }
  })

  it('gives the same bytes however it is cut', async () => {
    const points = pointsOf(4001, 3, kinds.noise(generator(3)))
    const ends = new Set<string>()
    for (const iterations of [1, 3, 20]) {
      await withSession(variant, points, { k: 17 }, async (session) => {
        await session.start(points.x.slice(0, 17 * 3))
        for (let done = 0; done < 20; done += iterations) {
          const left = Math.min(iterations, 20 - done)
          await session.advance({ iterations: left, milliseconds: 60_000 }, never)
        }
        const { labels, centroids, inertia } = await session.read()
        ends.add(JSON.stringify([[...labels], [...centroids], inertia]))
      })
    }
    expect(ends.size).toBe(1)
  })
})

describe('points in float64', () => {
  const others = Object.values(engines).flatMap((engine) =>
    engine.variants().map(({ id }) => ({ engine, id, name: `${engine.id}/${id}` })),
  )
  const refusing = others.filter(({ engine, id }) => engine.id !== 'cpu' || !float64Variants.includes(id))

  it.each(refusing)('are refused by $name in one sentence', async ({ engine, id }) => {
    if (!(await engine.availability()).available) return
    const points = pointsOf(10, 2, kinds.noise(generator(1)))
    await expect(engine.open(points, sessionConfig(id, { k: 2 }), null)).rejects.toThrow(
      `The variant ${id} of the ${engine.id} engine works in float32 only: choose float32, or sequential or eigen of the cpu engine.`,
    )
  })
})
