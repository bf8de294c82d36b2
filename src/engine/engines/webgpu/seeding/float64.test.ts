import { expect, it } from 'vitest'
import arithmetic from '@kernels/common/seeding/webgpu/float64.wgsl?raw'
import { adapterOf } from '../adapters'
import { openDevice } from '../gpu-device'
import probe from './testing/arithmetic.wgsl?raw'

const gpu = await openDevice(await adapterOf(null))

/** Runs the operations over pairs (count, 2) of float64. */
async function calculated(pairs: Float64Array): Promise<Float64Array> {
  const { device } = gpu
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage
  return gpu.checked('testing', async () => {
    const module = device.createShaderModule({ code: `${arithmetic}\n${probe}` })
    const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } })
    const size = 2 * pairs.byteLength
    const input = device.createBuffer({ size: pairs.byteLength, usage: STORAGE | COPY_DST })
    const output = device.createBuffer({ size, usage: STORAGE | COPY_SRC })
    const staging = device.createBuffer({ size, usage: MAP_READ | COPY_DST })
    device.queue.writeBuffer(input, 0, pairs as Float64Array<ArrayBuffer>)
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    const entries = [input, output].map((buffer, binding) => ({ binding, resource: { buffer } }))
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
    pass.dispatchWorkgroups(Math.ceil(pairs.length / 128))
    pass.end()
    encoder.copyBufferToBuffer(output, 0, staging, 0, size)
    device.queue.submit([encoder.finish()])
    await staging.mapAsync(GPUMapMode.READ)
    return new Float64Array(staging.getMappedRange().slice(0))
  })
}

const word = new Float32Array(1)
const wordBits = new Uint32Array(word.buffer)
const single = (bits: number) => ((wordBits[0] = bits), word[0])
const both = new Float64Array(1)
const bothBits = new Uint32Array(both.buffer)

function expectedOf(pairs: Float64Array): Float64Array {
  const words = new Uint32Array(pairs.buffer)
  return Float64Array.from({ length: 2 * pairs.length }, (_, at) => {
    const first = 2 * (at >> 2)
    const [a, b] = [pairs[first], pairs[first + 1]]
    const difference = Math.abs(single(words[2 * first]) - single(words[2 * first + 2]))
    return [a + b, a * b, difference, difference * difference][at & 3]
  })
}

let state = 12345
const random = (below: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

/** Few bits set, few bits missing, or any. */
const pattern = () => {
  const any = random(2 ** 32)
  return (
    [any, 0, 0xffffffff, 1 << random(32), ~(1 << random(32)), any & (2 ** random(32) - 1)][random(6)] >>> 0
  )
}

/** A finite float32 of any kind; exponents mostly near that of engine units. */
const singleBits = () => {
  const exponent = random(4) === 0 ? random(255) : 100 + random(random(2) === 0 ? 4 : 30)
  return ((pattern() & 0x807fffff) | (exponent << 23)) >>> 0
}

/** Its low word, which is read as float32, is one that is finite. */
const double = (exponent: number) => {
  bothBits[0] = singleBits()
  bothBits[1] = ((pattern() & 0xfffff) | (exponent << 20)) >>> 0
  return both[0]
}

it('float64 of the device has the bits of float64, whatever is added, subtracted and multiplied', async () => {
  const count = 60_000
  const pairs = new Float64Array(2 * count)
  for (let at = 0; at < count; at++) {
    const exponent = 730 + random(400)
    // Around 53 places apart rounding is decided by the last bit.
    const apart = [0, random(4), 50 + random(6), random(80)][random(4)]
    pairs[2 * at] = random(40) === 0 ? 0 : double(exponent)
    pairs[2 * at + 1] = random(40) === 0 ? 0 : double(exponent - apart)
    if (random(2) === 0) pairs.subarray(2 * at, 2 * at + 2).reverse()
  }
  const bitsOf = (values: Float64Array) => new BigUint64Array(values.buffer)
  const [got, wanted] = [bitsOf(await calculated(pairs)), bitsOf(expectedOf(pairs))]
  const wrong = wanted.findIndex((bits, at) => bits !== got[at])
  const operation = ['sum', 'product', 'difference', 'square'][wrong & 3]
  const sources = new BigUint64Array(pairs.buffer, 16 * (Math.max(wrong, 0) >> 2), 2)
  expect(wrong, `${operation} of ${[...sources].map((bits) => bits.toString(16)).join(', ')}`).toBe(-1)
  gpu.destroy()
})
