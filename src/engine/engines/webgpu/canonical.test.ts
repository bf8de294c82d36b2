import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionConfig } from '@tests/parity/session-config'
import type { Points } from '../engine'
import { adapterOf } from './adapters'
import { openDevice, type GpuDevice } from './gpu-device'
import { openPasses } from './open-session'
import { exactRun } from './testing/exact-run'
import { noise, pointsFrom } from './testing/points-from'
import { inPlaneOrder } from '@kernels/methods/plane-ordering/plane-ordering.webgpu'
import { featureSums } from '@kernels/variants/fused/regimes/feature-sums/feature-sums.webgpu'
import { neighbourBoxes } from '@kernels/variants/fused/regimes/neighbour-boxes/neighbour-boxes.webgpu'
import { planeBoxes } from '@kernels/variants/fused/regimes/plane-boxes/plane-boxes.webgpu'
import { planeCells } from '@kernels/variants/fused/regimes/plane-cells/plane-cells.webgpu'
import { stagedPoints } from '@kernels/variants/fused/regimes/staged-points/staged-points.webgpu'
import { stagedCentroids } from '@kernels/variants/fused/regimes/staged-centroids/staged-centroids.webgpu'
import type { CompileRequest, VariantPasses } from '@kernels/common/webgpu/passes'

/** Labels and means of every regime against exact arithmetic: no order, driver or regime shows in them. */
const iterations = 3
let gpu: GpuDevice

beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
})
afterAll(() => gpu.destroy())

type PassesOf = (request: CompileRequest) => VariantPasses

async function resultOf(points: Points, k: number, passesOf: PassesOf, trackChanged: boolean) {
  const { n, d } = points
  const workgroupBytes = gpu.device.limits.maxComputeWorkgroupStorageSize
  const config = sessionConfig('fused', { k, trackChanged })
  const session = await openPasses(gpu, points, config, passesOf({ n, k, d, workgroupBytes }))
  await session.start(points.x.slice(0, k * d))
  const done = await session.advance({ iterations, milliseconds: 1e5 }, new AbortController().signal)
  const { labels, centroids } = await session.read()
  return { labels, centroids, changed: done.map(({ changed }) => changed) }
}

/** Whole numbers, of which many points are equally near to several centroids. */
const lattice = (n: number, d: number, side: number) =>
  pointsFrom(n, d, (i, j) => Math.round(side * (noise(i, j) + 0.5)))
/** One far point makes the others small numbers of their feature, and their sums need more than 30 bits. */
const withOutlier = (n: number, d: number) =>
  pointsFrom(n, d, (i, j) => (i === 9 ? 1e6 * (j + 1) : noise(i, j) ** 3 + (i % 7)))
/** Far away for how close together they are. */
const faraway = (n: number, d: number) =>
  pointsFrom(n, d, (i, j) => 900 + noise(i % 50, j) + 0.001 * noise(i, j))
/** Pairs of points as far from one start as from another, but for the last bit. */
const almost = (n: number, d: number) =>
  pointsFrom(n, d, (i, j) => (i % 2 === 0 ? 1 : -1) * (j + 1) + (i > 40 ? noise(i, j) * 2 ** -22 : 0))

const kinds: readonly (readonly [string, (n: number, d: number) => Points])[] = [
  ['lattice', (n, d) => lattice(n, d, 3)],
  ['outlier', withOutlier],
  ['far away', faraway],
  ['almost ties', almost],
]

const regimes: readonly (readonly [string, PassesOf, readonly (readonly [number, number, number])[]])[] = [
  [
    'staged-centroids',
    stagedCentroids,
    [
      [403, 2, 5],
      [300, 3, 30],
      [500, 8, 7],
      [300, 7, 40],
    ],
  ],
  [
    'feature-sums',
    featureSums,
    [
      [403, 9, 5],
      [300, 12, 30],
      [300, 70, 7],
      [150, 70, 33],
      [400, 9, 210],
    ],
  ],
  [
    'neighbour-boxes',
    neighbourBoxes,
    [
      [403, 3, 30],
      [400, 8, 70],
      [500, 19, 60],
    ],
  ],
  [
    'staged-points',
    (request) => stagedPoints(request),
    [
      [403, 2, 5],
      [300, 9, 12],
      [400, 7, 40],
      [150, 70, 33],
      [400, 6, 150],
    ],
  ],
  [
    'plane-cells',
    (request) => inPlaneOrder(stagedCentroids(request), request, planeCells(request)),
    [
      [1203, 2, 5],
      [1203, 2, 60],
    ],
  ],
  [
    'plane-boxes',
    (request) => inPlaneOrder(stagedPoints(request), request, planeBoxes(request)),
    [
      [1203, 2, 20],
      [603, 2, 90],
    ],
  ],
]

/** Each shape with every other kind, turn about: a regime has all kinds, and each of its shapes two. */
const casesOf = (shapes: readonly (readonly [number, number, number])[]) =>
  shapes.flatMap((shape, turn) =>
    kinds
      .filter((_, at) => at % 2 === turn % 2)
      .map(([kind, pointsOf]) => [kind, ...shape, pointsOf] as const),
  )

describe.each(regimes)('%s', (_, passesOf, shapes) => {
  it.each(casesOf(shapes))('%s, %i points, %i features, %i clusters', async (_kind, n, d, k, pointsOf) => {
    const points = pointsOf(n, d)
    const expected = exactRun(points, points.x.slice(0, k * d), iterations)
    expect(await resultOf(points, k, passesOf, true)).toEqual(expected)
    const { labels, centroids } = await resultOf(points, k, passesOf, false)
    expect({ labels, centroids }).toEqual({ labels: expected.labels, centroids: expected.centroids })
  })
})
