import { afterEach, expect, it } from 'vitest'
import { stagedCentroids } from '@kernels/variants/fused/regimes/staged-centroids/staged-centroids.webgpu'
import { adapterOf } from './adapters'
import { leaseDevice } from './device-pool'
import type { GpuDevice } from './gpu-device'
import { compilePrograms } from './programs'

const adapter = await adapterOf(null)
const leased: GpuDevice[] = []

async function lease(): Promise<GpuDevice> {
  const gpu = await leaseDevice(adapter)
  leased.push(gpu)
  return gpu
}

async function assignPipeline(gpu: GpuDevice) {
  const { maxComputeWorkgroupStorageSize: workgroupBytes } = gpu.device.limits
  const passes = stagedCentroids({ n: 100, k: 3, d: 2, workgroupBytes })
  return (await compilePrograms(gpu, passes)).assign[0].pipeline
}

afterEach(() => {
  for (const gpu of leased.splice(0)) gpu.destroy()
})

it('a device serves one session after another, and keeps the kernels that were compiled on it', async () => {
  const first = await lease()
  const pipeline = await assignPipeline(first)
  await first.close()
  const second = await lease()
  expect(second.device).toBe(first.device)
  expect(await assignPipeline(second)).toBe(pipeline)
})

it('two sessions at once have a device each, whoever closes twice', async () => {
  const first = await lease()
  await first.close()
  const second = await lease()
  await first.close()
  const third = await lease()
  expect(second.device).toBe(first.device)
  expect(third.device).not.toBe(second.device)
})

it('a closed session holds no memory, and reaches the device no more', async () => {
  const first = await lease()
  const buffer = first.createBuffer({ size: 64, usage: GPUBufferUsage.COPY_DST })
  await first.close()
  await expect(first.checked('writing late', () => undefined)).rejects.toMatchObject({ kind: 'engine-lost' })
  const second = await lease()
  const write = second.checked('writing', () =>
    second.device.queue.writeBuffer(buffer, 0, new Uint32Array(1)),
  )
  await expect(write).rejects.toMatchObject({ details: expect.stringMatching(/destroyed/i) })
})

it('is never given again after a failure, after a loss, or where a session held much', async () => {
  const broken = await lease()
  await expect(broken.checked('failing', () => Promise.reject(new Error('no')))).rejects.toThrow(/failing/)
  await broken.close()
  const lost = await lease()
  expect(lost.device).not.toBe(broken.device)
  await lost.close()
  lost.device.destroy()
  await lost.device.lost
  const large = await lease()
  expect(large.device).not.toBe(lost.device)
  large.createBuffer({ size: 2 ** 28 + 4, usage: GPUBufferUsage.STORAGE })
  await large.close()
  expect((await lease()).device).not.toBe(large.device)
})
