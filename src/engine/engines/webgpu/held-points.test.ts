import { afterEach, expect, it } from 'vitest'
import { plainSession } from '../session-config'
import { webgpuEngine } from '../webgpu'
import { adapterOf } from './adapters'
import { leaseDevice } from './device-pool'
import type { GpuDevice } from './gpu-device'
import { holdPoints, holdsOn, sharedBuffer } from './held-points'
import { noise, pointsFrom } from './testing/points-from'

const adapter = await adapterOf(null)
const leased: GpuDevice[] = []
afterEach(() => {
  for (const gpu of leased.splice(0)) gpu.destroy()
})

async function lease(): Promise<GpuDevice> {
  const gpu = await leaseDevice(adapter)
  leased.push(gpu)
  return gpu
}

const x = new Float32Array(16)
const descriptor = () => ({ size: 64, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST })

it('a device gives its points to one session after another, until they are let go', async () => {
  const end = holdPoints(x)
  const first = await lease()
  const shared = sharedBuffer(first, x, 'rows', descriptor())
  expect(shared?.isFilled).toBe(false)
  if (shared !== null) shared.isFilled = true
  expect(sharedBuffer(first, x.slice(), 'rows', descriptor())).toBeNull()
  // Points for others keep a device that held much.
  first.createBuffer({ size: 2 ** 28 + 4, usage: GPUBufferUsage.COPY_DST })
  await first.close()
  const second = await lease()
  expect(second.device).toBe(first.device)
  expect(sharedBuffer(second, x, 'rows', descriptor())).toBe(shared)
  const write = () => second.device.queue.writeBuffer(shared?.buffer as GPUBuffer, 0, x)
  end()
  // A session that is open still has them.
  await second.checked('writing', write)
  expect(holdsOn(second.device)).toBe(false)
  await second.close()
  const third = await lease()
  expect(third.device).toBe(second.device)
  await expect(third.checked('writing', write)).rejects.toMatchObject({
    details: expect.stringMatching(/destroyed/i) as unknown,
  })
})

it('sessions of points that are held send them once', async () => {
  const points = pointsFrom(500, 3, noise)
  const held = await webgpuEngine.hold?.(points, adapter.device.id)
  const labels = async (k: number) => {
    const session = await webgpuEngine.open(points, plainSession('fused', { k }), adapter.device.id)
    await session.start(pointsFrom(k, 3, noise).x)
    const { labels: answer } = await session.read()
    await session.close()
    return answer
  }
  await labels(4)
  const kept = points.x.slice()
  // What is changed here after they were sent is not seen there.
  points.x.fill(0)
  const found = await labels(7)
  expect(new Set(found).size).toBe(7)
  await held?.close()
  expect(new Set(await labels(7)).size).toBe(1)
  points.x.set(kept)
  expect(await labels(7)).toEqual(found)
})
