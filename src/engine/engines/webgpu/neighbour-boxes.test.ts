import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Points, SessionConfig } from '../engine'
import { adapterOf } from './adapters'
import { openDevice, type GpuDevice } from './gpu-device'
import { openPasses } from './open-session'
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
  const config: SessionConfig = {
    ...{ variant: 'fused', k, stop: 'none', threshold: 0, empty: 'keep', timing: 'total' },
    ...{ trackChanged: true, trackInertia: true, trackCentroids: true },
  }
  const session = await openPasses(gpu, points, config, passes, maxBytes)
  await session.start(points.x.slice(0, k * d))
  const done = await session.advance({ iterations: 3, milliseconds: 1e5 }, new AbortController().signal)
  const { labels, centroids } = await session.read()
  return { labels, centroids, changed: done.map(({ changed }) => changed) }
}

function pointsOf(n: number, d: number, value: (i: number, j: number) => number): Points {
  const x = Float32Array.from({ length: n * d }, (_, at) => value(Math.floor(at / d), at % d))
  const maxAbs = new Float32Array(d)
  x.forEach((each, at) => (maxAbs[at % d] = Math.max(maxAbs[at % d], Math.abs(each))))
  return { x, n, d, maxAbs }
}

const noise = (i: number, j: number) => (Math.imul(i * 977 + j * 131 + 7, 2654435761) >>> 8) / 2 ** 24 - 0.5
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
    pointsOf(3001, d, (i, j) => Math.sin((i % 20) * (j + 1)) + 0.1 * noise(i, j)),
    direct,
    16 * 1024,
  ],
  ['lists and sums that do not fit', pointsOf(1203, d, noise), { ...direct, sumBytes: 512 }, 4 * 1024],
  ['long lists', pointsOf(2003, d, noise), scored, 16 * 1024],
  ['some points left open', pointsOf(2003, d, (i, j) => 3 + noise(i, j)), scored, 16 * 1024],
  ['equal distances', pointsOf(1009, d, (i, j) => Math.round(4 * noise(i, j))), scored, 16 * 1024],
])(
  'centroids listed for cells give the bytes of global-atomics: %s',
  async (_, points, shape, workgroupBytes) => {
    const ours = await resultOf(points, (request) => neighbourBoxes({ ...request, workgroupBytes }, shape))
    expect(ours).toEqual(await resultOf(points, globalAtomics))
  },
)
