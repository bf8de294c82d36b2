import { afterAll, beforeAll, expect, it } from 'vitest'
import { adapterOf } from './adapters'
import { Dispatcher } from './dispatcher'
import { openDevice, type GpuDevice } from './gpu-device'
import { compilePrograms } from './programs'
import { bindingLimit, createResources, planResources } from './resources'
import { roundsOf, sortReduce } from '@kernels/variants/sort-reduce/sort-reduce.webgpu'

const passesPerRound = 3
let gpu: GpuDevice

beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
})

afterAll(() => gpu.destroy())

/** (label, point) as the sorting rounds leave them in `buffer`, of points with these labels. */
async function sorted(labels: Int32Array, k: number, buffer: string): Promise<[number, number][]> {
  const { device } = gpu
  const n = labels.length
  const points = { x: new Float32Array(n), n, d: 1, maxAbs: Float32Array.of(1) }
  const passes = sortReduce({ n, k, d: 1, workgroupBytes: 16 * 1024 })
  const programs = await compilePrograms(gpu, passes)
  const plan = planResources(points, k, bindingLimit(device), passes)
  const resources = await createResources(
    gpu,
    points,
    plan,
    { variant: 'sort-reduce', passes, programs },
    true,
  )
  const on = new Dispatcher(gpu, resources, programs.rounds, { k, d: 1 })
  const [part] = resources.parts
  const staging = device.createBuffer({
    size: 8 * n,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  })
  device.queue.writeBuffer(
    part.labels,
    0,
    labels.map((label) => label + 1),
  )
  const encoder = device.createCommandEncoder()
  const steps = part.steps.update.slice(0, passesPerRound * roundsOf(k))
  on.encodeRange(encoder, steps, { first: 0, count: n, slot: 0, labelOrigin: 0, flags: 0 })
  encoder.copyBufferToBuffer(part.buffers.scratch[buffer], 0, staging, 0, 8 * n)
  await on.finish(encoder)
  await staging.mapAsync(GPUMapMode.READ)
  const words = new Uint32Array(staging.getMappedRange()).slice()
  return Array.from({ length: n }, (_, at) => [words[2 * at], words[2 * at + 1]])
}

it.each([
  [1, 1, 'even'],
  [3000, 16, 'even'],
  [2049, 17, 'odd'],
  [5000, 300, 'even'],
])('puts %i points in the order of %i labels, those of one label in their own', async (n, k, buffer) => {
  const labels = Int32Array.from({ length: n }, (_, point) => (point * 7919 + (point >> 3)) % k)
  const expected = Array.from(labels, (label, point) => [label, point]).sort((a, b) => a[0] - b[0])
  expect(await sorted(labels, k, buffer)).toEqual(expected)
})

it('takes as many rounds as the largest label has digits', () => {
  expect([1, 16, 17, 256, 257, 5000].map(roundsOf)).toEqual([1, 1, 2, 2, 3, 4])
})
