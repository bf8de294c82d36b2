import { afterAll, describe, expect, it } from 'vitest'
import { blobs, lattice } from '@engine/engines/cpu/testing/points'
import type { Points } from '@engine/engines/engine'
import { silhouettesInSlices } from '@engine/quality/silhouette-values'
import { adapterOf } from './adapters'
import { requestDevice, serve } from './gpu-device'
import { silhouettesOnDevice } from './silhouettes'

const raw = await requestDevice(await adapterOf(null))
afterAll(() => raw.device.destroy())

const never = new AbortController().signal

async function onDevice({ x, n, d }: Points, labels: Int32Array, k: number, signal = never) {
  const values = new Float64Array(n).fill(-2)
  const gpu = serve(raw, () => undefined)
  const shares: number[] = []
  const input = { x, d, labels, k }
  const complete = await silhouettesOnDevice(gpu, input, values, (share) => shares.push(share), signal)
  return { values, complete, shares }
}

/** The first cluster has most points, the second none, the last a single one. */
function uneven(n: number, k: number): Int32Array {
  const labels = Int32Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 0 : (i * 7) % (k - 1)))
  for (const [i, label] of labels.entries()) if (k > 3 && label === 1) labels[i] = 0
  labels[n >> 1] = k - 1
  return labels
}

describe('silhouettes on WebGPU', () => {
  it.each([
    { make: 'blobs', n: 700, d: 2, k: 5 },
    { make: 'blobs', n: 1500, d: 8, k: 2 },
    { make: 'lattice', n: 900, d: 3, k: 6 },
    { make: 'blobs', n: 300, d: 33, k: 150 },
    { make: 'lattice', n: 65, d: 1, k: 3 },
  ])('are those of float64: $make, n $n, d $d, k $k', async ({ make, n, d, k }) => {
    const points = make === 'blobs' ? blobs(n, d, 5) : lattice(n, d)
    const labels = uneven(n, k)
    const { values, complete, shares } = await onDevice(points, labels, k)
    const expected = await silhouettesInSlices({ points, labels, k }, never)
    expect(complete).toBe(true)
    expect(shares.at(-1)).toBe(1)
    for (const [i, value] of expected.entries())
      expect(Math.abs(values[i] - value), `point ${i}`).toBeLessThan(1e-6)
    expect((await onDevice(points, labels, k)).values).toEqual(values)
  })

  it('end when they are cancelled', async () => {
    const points = blobs(500, 2, 3)
    const { complete } = await onDevice(points, uneven(500, 4), 4, AbortSignal.abort())
    expect(complete).toBe(false)
  })
})
