import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionConfig } from '@tests/parity/session-config'
import type { Points, Session } from '../engine'
import { adapterOf } from './adapters'
import { openDevice, type GpuDevice } from './gpu-device'
import { openPasses } from './open-session'
import { exactRun } from './testing/exact-run'
import { noise, pointsFrom } from './testing/points-from'
import { featureSums } from '@kernels/variants/fused/regimes/feature-sums/feature-sums.webgpu'
import { stagedPoints } from '@kernels/variants/fused/regimes/staged-points/staged-points.webgpu'
import { stagedCentroids } from '@kernels/variants/fused/regimes/staged-centroids/staged-centroids.webgpu'
import { inPlaneOrder } from '@kernels/methods/plane-ordering/plane-ordering.webgpu'
import { planeBoxes } from '@kernels/variants/fused/regimes/plane-boxes/plane-boxes.webgpu'
import { planeCells } from '@kernels/variants/fused/regimes/plane-cells/plane-cells.webgpu'
import type { CompileRequest, VariantPasses } from '@kernels/common/webgpu/passes'

/** Large cards run these kernels, SwiftShader others: here they are run by hand on a few points. */
const iterations = 3
let gpu: GpuDevice

beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
})
afterAll(() => gpu.destroy())

const config = (k: number, trackChanged: boolean) => sessionConfig('fused', { k, trackChanged })

async function resultOf(
  points: Points,
  k: number,
  passesOf: (request: CompileRequest) => VariantPasses,
  trackChanged = true,
) {
  const { n, d } = points
  const workgroupBytes = gpu.device.limits.maxComputeWorkgroupStorageSize
  const session: Session = await openPasses(
    gpu,
    points,
    config(k, trackChanged),
    passesOf({ n, k, d, workgroupBytes }),
  )
  await session.start(points.x.slice(0, k * d))
  const done = await session.advance({ iterations, milliseconds: 1e5 }, new AbortController().signal)
  const { labels, centroids } = await session.read()
  return { labels, centroids, changed: done.map(({ changed }) => changed) }
}

const expectedOf = (points: Points, k: number) =>
  exactRun(points, points.x.slice(0, k * points.d), iterations)

describe('the kernels of fused for large data', () => {
  const faraway = pointsFrom(700, 36, (i, j) => 900 + noise(i % 50, j) + 0.001 * noise(i, j))

  const close = pointsFrom(800, 3, (i, j) => 900 + noise(i % 50, j) + 0.001 * noise(i, j))
  const waves = (d: number) => pointsFrom(5003, d, (i, j) => Math.cos(i + j) * 3 + noise(i, j))
  it.each([
    ['scores', waves(3), 30, 2 ** 18],
    ['scores that hardly tell', close, 45, 2 ** 10],
    ['distances', waves(8), 5, 2 ** 18],
  ])('few features give what exact arithmetic gives: by %s', async (_, points, k, lanesAtOnce) => {
    const ours = await resultOf(points, k, (request) => stagedCentroids({ ...request, lanesAtOnce }))
    expect(ours).toEqual(expectedOf(points, k))
  })

  const rounded = pointsFrom(1001, 24, (i, j) => Math.round(3 * noise(i, j)))
  it.each([
    ['rows of whole quads', waves(16), 5, 2 ** 18],
    ['rows that end within a quad', waves(9), 7, 2 ** 18],
    ['one cluster', waves(11), 1, 2 ** 18],
    ['several rounds of eight', waves(21), 27, 2 ** 18],
    ['equal distances', rounded, 17, 2 ** 18],
    ['far away for their extent', faraway, 6, 2 ** 18],
    ['three clusters of many features', pointsFrom(300, 250, (i, j) => noise(i, j) + (i % 3)), 3, 2 ** 18],
    ['one workgroup', waves(12), 4, 1],
  ])('sums by features give what exact arithmetic gives: %s', async (_, points, k, lanesAtOnce) => {
    const ours = await resultOf(points, k, (request) => featureSums({ ...request, lanesAtOnce }))
    expect(ours).toEqual(expectedOf(points, k))
  })

  const little = { n: 300, workgroupBytes: 16 * 1024 }
  it.each([
    ['rows of whole quads', waves(16), 5, {}],
    ['rows that end within a quad', waves(9), 7, {}],
    ['one cluster', waves(11), 1, {}],
    ['one feature', waves(1), 3, {}],
    ['scores in slices', waves(70), 33, {}],
    ['tiles of clusters', waves(6), 150, {}],
    ['tiles of clusters in slices', pointsFrom(1003, 45, noise), 140, {}],
    ['equal distances', rounded, 17, {}],
    ['far away for their extent', faraway, 26, {}],
    ['scores of 0', pointsFrom(903, 2, (i, j) => ((i * 7 + j * 3 * Math.floor(i / 5)) % 4) - 1), 16, {}],
    ['three clusters of many features', pointsFrom(300, 250, (i, j) => noise(i, j) + (i % 3)), 3, {}],
    ['one workgroup', waves(12), 4, { lanesAtOnce: 1 }],
    ['little memory', pointsFrom(1003, 30, noise), 100, little],
    ['several iterations a submit', pointsFrom(150, 9, noise), 5, {}],
  ])('kept sums give what exact arithmetic gives: %s', async (_, points, k, more) => {
    const kept = (request: CompileRequest) => stagedPoints({ ...request, ...more })
    const expected = expectedOf(points, k)
    expect(await resultOf(points, k, kept)).toEqual(expected)
    const { labels, centroids } = await resultOf(points, k, kept, false)
    expect({ labels, centroids }).toEqual({ labels: expected.labels, centroids: expected.centroids })
  })

  // So few threads and so little room that a workgroup needs several rounds, and branches of a round are not opened at once.
  const inRounds = (request: CompileRequest) =>
    planeCells(request, { fan: 2, groups: 2, threads: 64, noted: 16 })
  const bySeveral = (request: CompileRequest) =>
    planeBoxes(request, { threads: 64, leaf: 64, fan: 8, groups: 2, listed: 8, room: 700, byRow: 1 })
  const many = pointsFrom(18003, 2, (i, j) => noise(i, j) + Math.floor(i / 5000) * (j + 1))
  const steps = pointsFrom(1501, 2, (i, j) => Math.round(12 * noise(i, j)))
  const outlier = pointsFrom(2001, 2, (i, j) => (i === 9 ? 1e6 : 900 + noise(i, j) ** 3))
  it.each([
    ['cells, all over the plane', inRounds, 30, many],
    ['cells, equal distances', inRounds, 30, steps],
    ['cells, far away, an outlier', inRounds, 30, outlier],
    ['boxes, equal distances', planeBoxes, 70, steps],
    ['boxes, far away, an outlier', planeBoxes, 70, outlier],
    ['boxes, several a workgroup', bySeveral, 70, outlier],
  ])('points in the order of the plane give what exact arithmetic gives: %s', async (_, shape, k, points) => {
    const inOrder = (request: CompileRequest) =>
      inPlaneOrder(stagedCentroids(request), request, shape(request))
    const ours = await resultOf(points, k, inOrder, false)
    expect(ours).toEqual({
      ...expectedOf(points, k),
      changed: [null, null, null],
    })
  })
})
