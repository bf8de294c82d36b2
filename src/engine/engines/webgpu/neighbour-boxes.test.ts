import { afterAll, beforeAll, expect, it } from 'vitest'
import { sessionConfig } from '@tests/parity/session-config'
import type { Points } from '../engine'
import { adapterOf } from './adapters'
import { openDevice, type GpuDevice } from './gpu-device'
import { openPasses } from './open-session'
import { noise, pointsFrom } from './testing/points-from'
import { neighbourBoxes } from '@kernels/variants/fused/regimes/neighbour-boxes/neighbour-boxes.webgpu'
import { globalAtomics } from '@kernels/variants/global-atomics/global-atomics.webgpu'
import type { CompileRequest, VariantPasses } from '@kernels/common/webgpu/passes'

let gpu: GpuDevice
beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
})
afterAll(() => gpu.destroy())

async function resultOf(points: Points, passesOf: (request: CompileRequest) => VariantPasses) {
  const { n } = points
  const passes = passesOf({ n, k, d, workgroupBytes: 16 * 1024 })
  const config = sessionConfig('fused', { k })
  const session = await openPasses(gpu, points, config, passes, maxBytes)
  await session.start(points.x.slice(0, k * d))
  const done = await session.advance({ iterations: 3, milliseconds: 1e5 }, new AbortController().signal)
  const { labels, centroids } = await session.read()
  return { labels, centroids, changed: done.map(({ changed }) => changed) }
}

const direct = {
  cells: 8,
  threads: 64,
  together: 2,
  rowBytes: 8192,
  sumBytes: 4096,
  maxDirect: 64,
  copies: 8,
}
const scored = { ...direct, maxDirect: 0 }

const d = 5
const k = 45
/** Of a buffer: data are cut into parts. */
const maxBytes = 56 * 1024
it.each([
  [
    'blobs, in several parts',
    pointsFrom(3001, d, (i, j) => Math.sin((i % 20) * (j + 1)) + 0.1 * noise(i, j)),
    direct,
    16 * 1024,
  ],
  ['lists and sums that do not fit', pointsFrom(1203, d, noise), { ...direct, sumBytes: 512 }, 4 * 1024],
  ['long lists', pointsFrom(2003, d, noise), scored, 16 * 1024],
  ['some points left open', pointsFrom(2003, d, (i, j) => 3 + noise(i, j)), scored, 16 * 1024],
  ['equal distances', pointsFrom(1009, d, (i, j) => Math.round(4 * noise(i, j))), scored, 16 * 1024],
])(
  'centroids listed for cells give the bytes of global-atomics: %s',
  async (_, points, shape, workgroupBytes) => {
    const ours = await resultOf(points, (request) => neighbourBoxes({ ...request, workgroupBytes }, shape))
    expect(ours).toEqual(await resultOf(points, globalAtomics))
  },
)
