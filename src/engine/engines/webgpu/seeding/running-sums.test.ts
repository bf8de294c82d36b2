import { expect, it } from 'vitest'
import { adapterOf } from '../adapters'
import { openDevice } from '../gpu-device'
import { blockPoints, roundLayout, type SeedingBuffers } from './buffers'
import { compileSeeding } from './kernels'
import { SeedingSteps } from './steps'

const gpu = await openDevice(await adapterOf(null))

/** The sums up to each value as the device adds them. */
async function addedUp(values: Float64Array): Promise<Float64Array> {
  const programs = await compileSeeding(gpu)
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage
  const buffer = (size: number) => gpu.device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST })
  const buffers = {
    shape: gpu.device.createBuffer({ size: 32, usage: UNIFORM | COPY_DST }),
    sums: buffer(values.byteLength),
    running: buffer(values.byteLength),
    round: buffer(roundLayout.bytes),
  } as SeedingBuffers
  const steps = new SeedingSteps(gpu, programs, { n: values.length * blockPoints, d: 1, candidates: 1 })
  return gpu.checked('testing', async () => {
    steps.write(buffers.sums, 0, values)
    steps.submit(buffers, { candidates: 1, slot: 0 }, ['add_up'])
    return new Float64Array(await steps.read(buffers.running, 0, values.byteLength))
  })
}

let state = 77
const random = () => (state = (state * 48271) % 2147483647) / 2147483647
const last = 2 ** -52

/** Every value is told which it is, and the sum before it. */
const kinds: Readonly<Record<string, (at: number, before: number) => number>> = {
  'any values': () => random(),
  'values of all sizes': () => random() * 2 ** -Math.floor(90 * random()),
  // 1, then odd numbers of half a last bit: each is a tie, and the next depends on how it was rounded.
  ties: (at) => (at === 0 ? 1 : (last / 2) * (1 + 2 * Math.floor(3 * random()))),
  'ties and what is a little beside': (at) =>
    at === 0 ? 1 : (last / 2) * (1 + (Math.floor(3 * random()) - 1) * 2 ** -30),
  'ties where the exponent rises': (at, before) =>
    at === 0 ? 1 : random() < 0.02 ? 2 ** Math.ceil(Math.log2(before) + 1e-12) - before : (before * last) / 2,
  'jumps among zeros': (at) => (random() < 0.01 ? 2 ** (at / 40) * random() : 0),
  zeros: () => 0,
  'values too small to count': (at) => (at === 40 ? 1 : 2 ** -54 * (1 - last / 2)),
}

it.each(Object.keys(kinds))('running sums are rounded one after the other: %s', async (kind) => {
  let sum = 0
  const expected: number[] = []
  const values = Float64Array.from({ length: 2500 }, (_, at) => {
    const value = kinds[kind](at, sum)
    expected.push((sum += value))
    return value
  })
  expect(Array.from(await addedUp(values))).toEqual(expected)
})
