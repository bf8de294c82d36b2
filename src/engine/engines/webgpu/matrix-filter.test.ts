import { afterAll, beforeAll, expect, it } from 'vitest'
import { sessionConfig } from '@tests/parity/session-config'
import type { Points, SessionConfig } from '../engine'
import { adapterOf } from './adapters'
import { openDevice, type GpuDevice } from './gpu-device'
import { openPasses } from './open-session'
import { exactRun } from './testing/exact-run'
import { noise, pointsFrom } from './testing/points-from'
import { matrixFilter } from '@kernels/variants/fused/regimes/matrix-filter/matrix-filter.webgpu'
import { stagedPoints } from '@kernels/variants/fused/regimes/staged-points/staged-points.webgpu'
import type { CompileRequest, VariantPasses } from '@kernels/common/webgpu/passes'
import byHand from './testing/filter_by_hand.wgsl?raw'

let gpu: GpuDevice
beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
})
afterAll(() => gpu.destroy())

/** The blobs in two parts, as large data are. */
const byHandOf = (request: CompileRequest) => ({
  ...matrixFilter(request, { directives: '', files: [byHand], named: {} }),
  pointsPerPart: 1000,
})

async function resultOf(
  points: Points,
  passesOf: (request: CompileRequest) => VariantPasses,
  empty: SessionConfig['empty'] = 'keep',
  start = points.x.slice(0, k * points.d),
) {
  const { n, d } = points
  const workgroupBytes = gpu.device.limits.maxComputeWorkgroupStorageSize
  const config = sessionConfig('fused', { k, empty })
  const session = await openPasses(
    { ...gpu, software: false },
    points,
    config,
    passesOf({ n, k, d, workgroupBytes }),
  )
  // Sums last from pass to pass, but not from one run to the next.
  await session.start(points.x.slice(k * d, 2 * k * d))
  await session.advance({ iterations: 2, milliseconds: 1e5 }, new AbortController().signal)
  await session.start(start)
  const done = await session.advance({ iterations: 3, milliseconds: 1e5 }, new AbortController().signal)
  const { labels, centroids } = await session.read()
  return { labels, centroids, changed: done.map(({ changed }) => changed) }
}

const k = 60
const d = 20
it.each([
  ['blobs', pointsFrom(1501, d, (i, j) => Math.sin((i % 40) * (j + 1)) + 0.1 * noise(i, j))],
  ['far from the origin', pointsFrom(700, d, (i, j) => 900 + noise(i % 50, j) + 0.001 * noise(i, j))],
  ['equal distances', pointsFrom(900, d, (i, j) => Math.round(2 * noise(i, j)))],
  [
    'more than 128 features',
    pointsFrom(400, 140, (i, j) => Math.sin((i % 40) * (j + 1)) + 0.1 * noise(i, j)),
  ],
])('scores of 16-bit numbers give what exact arithmetic gives: %s', async (_, points) => {
  expect(await resultOf(points, byHandOf)).toEqual(exactRun(points, points.x.slice(0, k * points.d), 3))
})

it('sums that last follow a cluster that is dropped', async () => {
  const points = pointsFrom(700, d, (i, j) => Math.sin((i % 40) * (j + 1)) + 0.1 * noise(i, j))
  const start = points.x.slice(0, k * d)
  start.copyWithin(20 * d, 0, d)
  const results = await resultOf(points, byHandOf, 'drop', start)
  const others = await resultOf(points, (request) => stagedPoints(request), 'drop', start)
  expect(results).toEqual(others)
  expect(results.centroids[20 * d]).toBeNaN()
})
