import { afterEach, describe, expect, it } from 'vitest'
import { blobs, lattice } from '@engine/engines/cpu/testing/points'
import type { Points } from '@engine/engines/engine'
import { loadCpuAddon } from '@engine/engines/native'
import { kMeansPlusPlus } from './k-means-plus-plus'
import type { SeedingKernel, SeedingState } from './kernel'
import { nativeSeedingKernel } from './native-kernel'
import { typescriptKernel } from './typescript-kernel'

const native = nativeSeedingKernel()
if (native === null)
  console.warn('Native seeding tests are skipped: the addon was not built (npm run setup).')

/** Everything a seeding can ask for, in the order k-means++ and k-means|| ask for it. */
async function answers(state: SeedingState, { n }: Points) {
  const first = await state.potentials(Int32Array.from([0, n >> 1, n - 1]))
  const committed = await state.commit(Int32Array.from([n >> 1]))
  const second = await state.potentials(Int32Array.from([0, n - 1]))
  const lowered = await state.commit(Int32Array.from([0, n - 1, n >> 2]))
  const shares = [0, 0.1, 0.25, 0.5, 0.75, 0.999999, 1, 2]
  const picked = await state.pick(Float64Array.from(shares, (share) => share * lowered))
  const distances = await state.distances(n >> 3, n - (n >> 3))
  const counts = await state.nearestCounts(Int32Array.from([n - 1, 0, n >> 1]))
  state.close()
  return { first, committed, second, lowered, picked, distances, counts }
}

describe.skipIf(native === null)('native seeding kernel', () => {
  afterEach(() => {
    delete process.env.CENTROID_LAB_ISA
    delete process.env.CENTROID_LAB_THREADS
  })

  it.each([
    { n: 3, d: 1 },
    { n: 31, d: 5 },
    { n: 1024, d: 2 },
    { n: 1025, d: 3 },
    { n: 5003, d: 17 },
    { n: 40, d: 300 },
  ])('gives the bits of the TypeScript kernel: n $n, d $d', async ({ n, d }) => {
    const points = blobs(n, d, 5)
    const expected = await answers(typescriptKernel.open(points.x, n, d), points)
    for (const isa of ['baseline', 'avx2', 'avx512']) {
      for (const threads of ['1', '3']) {
        process.env.CENTROID_LAB_ISA = isa
        process.env.CENTROID_LAB_THREADS = threads
        expect(loadCpuAddon().addon?.versions().threads).toBe(Number(threads))
        const state = native?.open(points.x, n, d) as SeedingState
        expect(await answers(state, points), `${isa}, ${threads} threads`).toEqual(expected)
      }
    }
  })

  it.each([
    { n: 3000, d: 2, k: 40, make: blobs },
    { n: 3000, d: 2, k: 200, make: blobs },
    { n: 2000, d: 3, k: 60, make: lattice },
    { n: 2500, d: 3, k: 400, make: lattice },
    { n: 1500, d: 20, k: 120, make: blobs },
    { n: 1, d: 4, k: 1, make: blobs },
  ])('chooses as the rounds of the TypeScript kernel do: k $k of n $n, d $d', async ({ n, d, k, make }) => {
    const { x } = make === blobs ? blobs(n, d, 3) : lattice(n, d)
    const chosenBy = (kernel: SeedingKernel) => {
      const state = kernel.open(x, n, d)
      return kMeansPlusPlus(state, n, k, 7, () => undefined).finally(() => state.close())
    }
    const rows = await chosenBy(typescriptKernel)
    expect(await chosenBy(native as SeedingKernel)).toEqual(rows)
    expect(new Set(rows).size).toBeGreaterThan(Math.min(k - 1, 20))
  })

  it('ends a seeding that is closed', async () => {
    const points = blobs(200_000, 4, 5)
    const state = native?.open(points.x, points.n, points.d) as SeedingState
    const draws = new Float64Array(8 * 2000).fill(0.5)
    const work = state.greedy?.(0, draws, 8)
    state.close()
    // All rounds would choose 2001 rows.
    expect((await work)?.length).toBeLessThan(2000)
  })

  it('never picks a point that is a centre already', async () => {
    const points = lattice(3000, 2)
    const state = native?.open(points.x, points.n, points.d) as SeedingState
    const sum = await state.commit(Int32Array.from([0, 1, 2]))
    const targets = Float64Array.from({ length: 200 }, (_, at) => (sum * at) / 199)
    const rows = await state.pick(targets)
    const distances = await state.distances(0, points.n)
    for (const row of rows) expect(distances[row]).toBeGreaterThan(0)
    state.close()
  })

  it('refuses rows that are no points, and calls after close', async () => {
    const points = blobs(10, 2, 1)
    const state = native?.open(points.x, 10, 2) as SeedingState
    expect(() => state.commit(Int32Array.from([10]))).toThrow(/rows of the points/)
    expect(() => state.potentials(Int32Array.from([-1]))).toThrow(/rows of the points/)
    state.close()
    expect(() => state.commit(Int32Array.from([0]))).toThrow(/closed/)
  })
})
