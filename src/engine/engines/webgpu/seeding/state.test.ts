import { afterAll, describe, expect, it, vi } from 'vitest'
import { blobs, lattice, pointsOf } from '@engine/engines/cpu/testing/points'
import type { Points } from '@engine/engines/engine'
import { candidatesFor, kMeansPlusPlus } from '@engine/init/k-means-plus-plus'
import type { SeedingState } from '@engine/init/kernel'
import { typescriptKernel } from '@engine/init/typescript-kernel'
import { adapterOf } from '../adapters'
import { requestDevice, serve } from '../gpu-device'
import { reserveSeeding, uploadColumns } from './buffers'
import { compileSeeding } from './kernels'
import { WebgpuSeeding } from './state'
import { SeedingSteps } from './steps'

const raw = await requestDevice(await adapterOf(null))
afterAll(() => raw.device.destroy())

/** Every seeding has the device for itself, one after the other. */
function opened({ x, n, d }: Points, candidates = 4): Promise<WebgpuSeeding> {
  return WebgpuSeeding.open(
    serve(raw, () => undefined),
    x,
    { n, d, candidates },
  )
}

/** Everything a seeding can ask for, in the order k-means++ and k-means|| ask for it. */
async function answers(state: SeedingState, { n }: Points) {
  const fresh = await state.pick(Float64Array.of(0, 1, Infinity))
  const first = await state.potentials(Int32Array.from([0, n >> 1, n - 1]))
  const committed = await state.commit(Int32Array.from([n >> 1]))
  const second = await state.potentials(Int32Array.from([0, n - 1, n >> 1, n >> 3, n >> 2]))
  const lowered = await state.commit(Int32Array.from([0, n - 1, n >> 2, n >> 3, n >> 4]))
  const shares = [0, 0.1, 0.25, 0.5, 0.75, 0.999999, 1 - 2 ** -53, 1, 2]
  const picked = await state.pick(Float64Array.from(shares, (share) => share * lowered))
  const third = await state.potentials(picked)
  const distances = await state.distances(n >> 3, n - (n >> 3))
  const counts = await state.nearestCounts(Int32Array.from([n - 1, 0, n >> 1, 0, n >> 3]))
  state.close()
  return { fresh, first, committed, second, lowered, picked, third, distances, counts }
}

let state = 1
const random = () => (state = (state * 48271) % 2147483647) / 2147483647

/** Coordinates whose exponents lie anywhere from those of subnormal numbers up. */
function mixed(n: number, d: number): Points {
  const value = () => (random() - 0.5) * 2 ** -Math.floor(150 * random() ** 3)
  return pointsOf(Array.from({ length: n * d }, value), d)
}

/** All so near to each other, beside their distance from the origin, that float32 leaves few differences. */
function faraway(n: number, d: number): Points {
  return pointsOf(
    Array.from({ length: n * d }, () => 0.99 + 1e-6 * random()),
    d,
  )
}

const tiny = (n: number, d: number) =>
  pointsOf(
    Array.from({ length: n * d }, () => Math.floor(9 * random()) * 2 ** -149),
    d,
  )

describe('the seeding on WebGPU', () => {
  it.each([
    { make: 'blobs', n: 1, d: 2 },
    { make: 'blobs', n: 3, d: 1 },
    { make: 'blobs', n: 1023, d: 2 },
    { make: 'lattice', n: 1024, d: 2 },
    { make: 'mixed', n: 1025, d: 3 },
    { make: 'blobs', n: 5003, d: 17 },
    { make: 'mixed', n: 40, d: 300 },
    { make: 'lattice', n: 3000, d: 1 },
    { make: 'faraway', n: 2500, d: 5 },
    { make: 'tiny', n: 1500, d: 2 },
    { make: 'mixed', n: 9000, d: 2 },
  ])('gives the bits of the TypeScript kernel: $make, n $n, d $d', async ({ make, n, d }) => {
    const kinds: Readonly<Record<string, (n: number, d: number) => Points>> = {
      ...{ blobs: (n, d) => blobs(n, d, 5), lattice, mixed, faraway, tiny },
    }
    const points = kinds[make](n, d)
    const expected = await answers(typescriptKernel.open(points.x, n, d) as SeedingState, points)
    expect(await answers(await opened(points), points)).toEqual(expected)
  })

  it.each([
    { make: 'blobs', n: 3000, d: 2, k: 25 },
    { make: 'lattice', n: 1500, d: 3, k: 60 },
    { make: 'lattice', n: 2000, d: 1, k: 12 },
    { make: 'mixed', n: 1500, d: 2, k: 15 },
  ])('chooses as the rounds of the TypeScript kernel do: $make, k $k of n $n, d $d', async (given) => {
    const { make, n, d, k } = given
    const points = { blobs: blobs(n, d, 3), lattice: lattice(n, d), mixed: mixed(n, d) }[make] as Points
    const plain = typescriptKernel.open(points.x, n, d) as SeedingState
    const wanted = await kMeansPlusPlus(plain, n, k, 7, () => undefined)
    const onDevice = await opened(points, candidatesFor(k))
    expect(await kMeansPlusPlus(onDevice, n, k, 7, () => undefined)).toEqual(wanted)
    onDevice.close()
  })

  // In four pieces, and in so many that the device is waited for between them.
  it.each([12 * 300, 12 * 7])('has the points in columns, sent %i bytes at a time', async (atOnce) => {
    const gpu = serve(raw, () => undefined)
    const [n, d] = [1000, 3]
    const { x } = blobs(n, d, 5)
    const size = { n, d, candidates: 1 }
    const programs = await compileSeeding(gpu)
    const buffers = await reserveSeeding(gpu, size)
    await uploadColumns(gpu, programs, buffers, x, size, atOnce)
    const columns = await new SeedingSteps(gpu, programs, size).read(buffers.columns, 0, 4 * n * d)
    const expected = Array.from({ length: n * d }, (_, at) => x[(at % n) * d + Math.floor(at / n)])
    expect(Array.from(new Float32Array(columns))).toEqual(expected)
  })

  it('lets the process do other things while points are sent', async () => {
    const gpu = serve(raw, () => undefined)
    const points = blobs(1000, 3, 5)
    const size = { n: 1000, d: 3, candidates: 1 }
    const programs = await compileSeeding(gpu)
    const buffers = await reserveSeeding(gpu, size)
    const writes = vi.spyOn(raw.device.queue, 'writeBuffer')
    const sending = uploadColumns(gpu, programs, buffers, points.x, size, 12)
    let most = 0
    let seen = 0
    let isSent = false
    const look = () => {
      most = Math.max(most, writes.mock.calls.length - seen)
      seen = writes.mock.calls.length
      if (!isSent) setImmediate(look)
    }
    setImmediate(look)
    await sending
    isSent = true
    look()
    writes.mockRestore()
    // All 1000 rows in one go would be 2000 writes at once.
    expect(most).toBeLessThan(500)
  })

  it('ends when it is closed', async () => {
    const seeding = await opened(blobs(2000, 2, 5), 8)
    const work = seeding.greedy(0, new Float64Array(8 * 1500).fill(0.5), 8)
    seeding.close()
    // All rounds would choose 1501 rows.
    expect((await work).length).toBeLessThan(1500)
  })

  it('says what failed on the device between two waits, and gives no answer then', async () => {
    const seeding = await opened(blobs(2000, 2, 5), 8)
    const reserving = vi.spyOn(raw.device, 'createBuffer')
    const uniforms = new Float64Array(8 * 1500).fill(0.5)
    const work = seeding.greedy(0, uniforms, 8)
    const own = reserving.mock.calls.findIndex(([{ size }]) => size === uniforms.byteLength)
    const draws = reserving.mock.results[own].value as GPUBuffer
    reserving.mockRestore()
    // What is on its way already is in order; the next submit is not.
    draws.destroy()
    await expect(work).rejects.toMatchObject({
      kind: 'engine-lost',
      details: expect.stringMatching(/destroyed/) as string,
    })
  })

  it('refuses what no buffer of the device can hold, before it reserves anything', async () => {
    const gpu = serve(raw, () => undefined)
    const opening = WebgpuSeeding.open(gpu, new Float32Array(0), { n: 2 ** 28, d: 64, candidates: 8 })
    await expect(opening).rejects.toMatchObject({ kind: 'input', code: 'webgpu.too-large' })
  })

  // The last: nothing works on the device afterwards.
  it('says that its device was lost', async () => {
    const seeding = await opened(blobs(2000, 2, 5), 8)
    const work = seeding.greedy(0, new Float64Array(8 * 1500).fill(0.5), 8)
    raw.device.destroy()
    await expect(work).rejects.toMatchObject({ kind: 'engine-lost' })
    await expect(seeding.commit(Int32Array.of(1))).rejects.toMatchObject({ kind: 'engine-lost' })
    seeding.close()
  })
})
