import { randomUUID } from 'node:crypto'
import { expect, it, vi, type MockInstance } from 'vitest'
import { blobs } from '@engine/engines/cpu/testing/points'
import { webgpuEngine } from '@engine/engines/webgpu'
import { processorKernel } from '@engine/init/choose-kernel'
import { kMeansPlusPlus } from '@engine/init/k-means-plus-plus'
import { typescriptKernel } from '@engine/init/typescript-kernel'
import { adapterOf } from '../adapters'
import { webgpuSeeding } from '.'
import { WebgpuSeeding } from './state'

const n = 2000
const points = blobs(n, 2, 5)
const found = await adapterOf(null)

/** The adapter of this machine as if it were hardware, its devices made different, and how often it was looked for. */
function hardware(change: (device: GPUDevice) => void) {
  const request = async () => {
    const adapter = await found.request()
    if (adapter === null) throw new Error('no adapter')
    const device = await adapter.requestDevice()
    change(device)
    return Object.assign(Object.create(adapter) as GPUAdapter, {
      ...{ features: adapter.features, limits: adapter.limits, requestDevice: () => Promise.resolve(device) },
    })
  }
  const device = { ...found.device, id: randomUUID(), software: false }
  const adapter = vi.fn(() => Promise.resolve({ ...found, device, request }))
  return { provider: webgpuSeeding(device.id, 5, adapter), adapter }
}

/** Too small for the points above. */
const small = { maxStorageBufferBindingSize: 64, maxBufferSize: 64 }

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

it('leaves points that do not fit to the processor, says so, and asks the device once', async () => {
  const compiling: MockInstance[] = []
  const { provider, adapter } = hardware((device) => {
    Object.defineProperty(device, 'limits', { value: small })
    compiling.push(vi.spyOn(device, 'createShaderModule'))
  })
  expect(provider.name).toBe('webgpu')
  for (let restart = 0; restart < 2; restart++) {
    const state = await provider.open(points.x, n, 2)
    expect(state).not.toBeInstanceOf(WebgpuSeeding)
    state.close()
  }
  expect(provider.name).toBe(processorKernel().name)
  expect(adapter).toHaveBeenCalledTimes(1)
  expect(compiling[0]).not.toHaveBeenCalled()
})

it('a device that is lost while it opens ends the seeding', async () => {
  const { provider } = hardware((device) => device.destroy())
  await expect(provider.open(points.x, n, 2)).rejects.toMatchObject({ kind: 'engine-lost' })
  expect(provider.name).toBe('webgpu')
})

it('is asked for where there is much to do', () => {
  expect(webgpuEngine.seeding?.(points, 5, 'webgpu:0')).toBeNull()
  expect(webgpuEngine.seeding?.({ ...points, n: 1_000_000, d: 64 }, 1024, 'webgpu:0')?.name).toBe('webgpu')
})
