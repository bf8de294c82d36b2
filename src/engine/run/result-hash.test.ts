import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { resultHash, type HashedResult } from './result-hash'

const { signal } = new AbortController()

/** As the specification words it, one number after another. */
function worded({ n, d, iterations, labels, centroids, inertia }: HashedResult): string {
  const whole = (value: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value))
    return bytes
  }
  const sha = (parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const hashes: Buffer[] = []
  for (let start = 0; start < labels.length; start += 2 ** 20) {
    const part = Buffer.alloc(4 * Math.min(2 ** 20, labels.length - start))
    for (let i = 0; i < part.length / 4; i++) part.writeInt32LE(labels[start + i], 4 * i)
    hashes.push(sha([part]))
  }
  const floats = Buffer.alloc(4 * centroids.length)
  centroids.forEach((value, at) => {
    if (Number.isNaN(value)) floats.writeUInt32LE(0x7fc00000, 4 * at)
    else floats.writeFloatLE(value === 0 ? 0 : value, 4 * at)
  })
  const last = Buffer.alloc(8)
  last.writeDoubleLE(inertia)
  return sha([...[n, d, centroids.length / d, iterations].map(whole), ...hashes, floats, last]).toString(
    'hex',
  )
}

const small: HashedResult = {
  ...{ n: 5, d: 2, iterations: 7, inertia: 0.1 },
  labels: Int32Array.of(0, 1, 2, 1, 0),
  centroids: Float32Array.of(0.5, -0.25, Number.NaN, Number.NaN, -0, 1e-40),
}

it('is what the specification words, for labels of several parts too', async () => {
  expect(await resultHash(small, signal)).toBe(worded(small))
  const n = 2 ** 20 + 3
  const large = { ...small, n, labels: Int32Array.from({ length: n }, (_, i) => i % 3) }
  expect(await resultHash(large, signal)).toBe(worded(large))
})

it('is the same for -0 and for any NaN', async () => {
  const bits = new Uint32Array(small.centroids.length)
  const centroids = new Float32Array(bits.buffer)
  centroids.set(small.centroids)
  bits[2] = 0xffc12345
  bits[4] = 0
  expect(await resultHash({ ...small, centroids }, signal)).toBe(await resultHash(small, signal))
})

it.each([
  ['a label', { labels: Int32Array.of(0, 1, 2, 1, 1) }],
  ['a centroid', { centroids: small.centroids.map((value, at) => (at === 0 ? 0.50000006 : value)) }],
  ['the inertia', { inertia: 0.1 + 2 ** -56 }],
  ['the iterations', { iterations: 8 }],
])('is another one with another value of %s', async (_, changed) => {
  expect(await resultHash({ ...small, ...changed }, signal)).not.toBe(await resultHash(small, signal))
})
