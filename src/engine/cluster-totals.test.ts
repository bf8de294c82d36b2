import { describe, expect, it } from 'vitest'
import { clusterTotals, totalsInSlices } from './cluster-totals'
import { loadCpuAddon } from './engines/native'
import type { Points } from './engines/engine'

const never = new AbortController().signal

/** The same at every call; labels that no assignment would give do as well. */
function scattered(n: number, d: number, k: number) {
  let state = 1
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const points: Points = {
    x: Float32Array.from({ length: n * d }, () => 2 * next() - 1),
    n,
    d,
    maxAbs: new Float32Array(d).fill(1),
  }
  const labels = Int32Array.from({ length: n }, () => Math.floor(next() * k))
  return { points, labels, centroids: Float64Array.from({ length: k * d }, () => 2 * next() - 1) }
}

describe('totals of clusters', () => {
  it('are the members and their squared distances', async () => {
    const points = { x: Float32Array.of(0, 0, 0.5, 0, 0.5, 1), n: 3, d: 2, maxAbs: Float32Array.of(0.5, 1) }
    const totals = await clusterTotals(points, Int32Array.of(0, 2, 2), Float64Array.of(0.25, 0, 9, 9, 0.5, 0))
    expect(totals).toEqual({ sizes: Float64Array.of(1, 0, 2), inertias: Float64Array.of(0.0625, 0, 1) })
  })

  it.runIf(loadCpuAddon().addon !== null)(
    'are those of JavaScript to the last bit where the addon computes them',
    async () => {
      for (const [n, d, k] of [
        [100_003, 2, 7],
        [50_001, 3, 5000],
        [20_002, 17, 40],
        [30_000, 1, 1],
      ]) {
        const { points, labels, centroids } = scattered(n, d, k)
        const native = await clusterTotals(points, labels, centroids)
        expect(native).toEqual(await totalsInSlices(points, labels, centroids, never))
        expect(native?.sizes.reduce((sum, size) => sum + size)).toBe(n)
      }
    },
  )

  it.each([100, 50_000])('are refused for a label that is no cluster, n = %i', async (n) => {
    const { points, labels, centroids } = scattered(n, 2, 5)
    for (const wrong of [5, -1]) {
      labels[n - 1] = wrong
      expect(await clusterTotals(points, labels, centroids)).toBeNull()
      expect(await totalsInSlices(points, labels, centroids, never)).toBeNull()
    }
  })

  it('end when they are cancelled', async () => {
    const { points, labels, centroids } = scattered(50_000, 2, 5)
    const totals = clusterTotals(points, labels, centroids, AbortSignal.abort())
    await expect(totals).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
