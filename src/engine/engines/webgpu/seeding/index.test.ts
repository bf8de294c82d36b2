import { expect, it } from 'vitest'
import { blobs } from '@engine/engines/cpu/testing/points'
import { webgpuEngine } from '@engine/engines/webgpu'
import { kMeansPlusPlus } from '@engine/init/k-means-plus-plus'
import { typescriptKernel } from '@engine/init/typescript-kernel'
import { adapterOf } from '../adapters'
import { webgpuSeeding } from '.'
import { WebgpuSeeding } from './state'

const n = 2000
const points = blobs(n, 2, 5)

it('seeds on hardware; software leaves it to the processor, with the same rows', async () => {
  const { device } = await adapterOf(null)
  const state = await webgpuSeeding(device.id, 5).open(points.x, n, 2)
  expect(state instanceof WebgpuSeeding).toBe(!device.software)
  const rows = await kMeansPlusPlus(state, n, 5, 3, () => undefined)
  state.close()
  const expected = await kMeansPlusPlus(typescriptKernel.open(points.x, n, 2), n, 5, 3, () => undefined)
  expect(rows).toEqual(expected)
})

it('leaves more candidates to the processor than a round on the device can take', async () => {
  const { device } = await adapterOf(null)
  const state = await webgpuSeeding(device.id, 10_000_000).open(points.x, n, 2)
  expect(state).not.toBeInstanceOf(WebgpuSeeding)
  state.close()
})

it('is asked for where there is much to do', () => {
  expect(webgpuEngine.seeding?.(points, 5, 'webgpu:0')).toBeNull()
  expect(webgpuEngine.seeding?.({ ...points, n: 1_000_000, d: 64 }, 1024, 'webgpu:0')?.name).toBe('webgpu')
})
