import { expect, it, vi } from 'vitest'
import { runOf } from '../export/testing/run-of'
import { seed } from './index'
import type { SeedingKernel } from './kernel'
import { SeedCache } from './seed-cache'
import { typescriptKernel } from './typescript-kernel'

const signal = new AbortController().signal

/** Counts how often a seeding is carried out. */
function counting(): SeedingKernel & { readonly open: ReturnType<typeof vi.fn<SeedingKernel['open']>> } {
  return { name: 'typescript', open: vi.fn((x, n, d) => typescriptKernel.open(x, n, d)) }
}

it('gives the centroids that a seeding gives, for fewer clusters without another', async () => {
  const { points } = await runOf('examples/iris.csv', { k: 2 })
  const [cache, kernel] = [new SeedCache(), counting()]
  const afresh = (k: number, value: number) =>
    seed(points, { init: 'k-means++', k, centroidsFile: null, features: [] }, value, typescriptKernel, signal)
  const kept = (k: number, value = 3) => cache.centroids(points, k, value, kernel, signal)
  // Three to seven clusters have three candidates each, eight to twenty have four.
  for (const [k, seedings] of [
    [7, 1],
    [5, 1],
    [3, 1],
    [9, 2],
    [8, 2],
    [2, 3],
  ] as const) {
    expect(await kept(k)).toEqual(await afresh(k, 3))
    expect(kernel.open).toHaveBeenCalledTimes(seedings)
  }
  expect(await kept(5, 4)).toEqual(await afresh(5, 4))
  expect(kernel.open).toHaveBeenCalledTimes(4)
})

it('chooses ahead for a few more and a few fewer clusters', async () => {
  const { points } = await runOf('examples/iris.csv', { k: 2 })
  const [cache, kernel] = [new SeedCache(), counting()]
  await cache.ahead(points, 6, 1, kernel, signal)
  const before = kernel.open.mock.calls.length
  for (const k of [2, 5, 7, 8, 12]) await cache.centroids(points, k, 1, kernel, signal)
  expect(kernel.open).toHaveBeenCalledTimes(before)
})

it('takes nothing over between points', async () => {
  const [one, other] = [
    await runOf('examples/iris.csv', { k: 2 }),
    await runOf('examples/iris.csv', { k: 2, scaling: 'standardise' }),
  ]
  const [cache, kernel] = [new SeedCache(), counting()]
  await cache.centroids(one.points, 4, 1, kernel, signal)
  await cache.centroids(other.points, 4, 1, kernel, signal)
  expect(kernel.open).toHaveBeenCalledTimes(2)
})
