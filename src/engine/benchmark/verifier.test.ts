import { describe, expect, it } from 'vitest'
import { loadCpuAddon } from '../engines/native'
import { labelUnits, sampleOf } from './exactness'
import { verifierOf } from './choose-verifier'
import { typescriptVerifier } from './typescript-verifier'

const { signal } = new AbortController()
const n = 40_003
const d = 3
const k = 7
const pseudoRandom = (i: number) => ((i * 2654435761) % 2 ** 32) / 2 ** 32 - 0.5
const x = Float32Array.from({ length: n * d }, (_, i) => pseudoRandom(i + 1))
const points = { x, n, d, maxAbs: Float32Array.of(0.5, 0.5, 0.5) }
// The last but one is a dropped cluster: it owns no point.
const centroids = Float32Array.from({ length: k * d }, (_, at) =>
  Math.floor(at / d) === k - 2 ? Number.NaN : pseudoRandom(9000 + at),
)
const unit = labelUnits.cpu

describe.skipIf(loadCpuAddon().addon?.Verification === undefined)('the native verifier', () => {
  it('finds what its twin finds: nearest centroids, ranges, sums', async () => {
    const [native, twin] = [verifierOf(points), typescriptVerifier(points)]
    const sample = await native.sample(centroids, signal)
    const expectedSample = await twin.sample(centroids, signal)
    expect([sample.rows, expectedSample.rows]).toEqual([null, null])
    expect(Buffer.from(sample.nearest.buffer).equals(Buffer.from(expectedSample.nearest.buffer))).toBe(true)
    expect(Buffer.from(sample.labels.buffer).equals(Buffer.from(expectedSample.labels.buffer))).toBe(true)
    expect(new Set(sample.labels)).toEqual(new Set([0, 1, 2, 3, 4, 6]))
    expect(await native.ranges(signal)).toEqual(await twin.ranges(signal))
    const [found, expected] = [
      await native.memberSums(sample.labels, k, signal),
      await twin.memberSums(sample.labels, k, signal),
    ]
    expect(found.counts).toEqual(expected.counts)
    // With a slack that many points fall into.
    const open = await native.openMembers(centroids, 0.01, signal)
    expect(open).toEqual(await twin.openMembers(centroids, 0.01, signal))
    expect(Math.max(...open)).toBeGreaterThan(100)
    found.sums.forEach((sum, at) => expect(sum).toBeCloseTo(expected.sums[at], 9))
    native.close()
  })

  it('counts every label that is wrong, in a sample and beside another labelling', async () => {
    const native = verifierOf(points)
    const all = await native.sample(centroids, signal)
    const some = await sampleOf(points, centroids, k, 5000, signal)
    const labels = all.labels.slice()
    const wrong = [0, 777, n - 3, n - 2, n - 1]
    labels[0] = -1
    labels[777] = k
    for (const at of wrong.slice(2)) labels[at] = (labels[at] + 1) % 5
    expect(await native.inexactLabels(centroids, all, labels, unit, signal)).toBe(wrong.length)
    expect(await native.inexactLabels(centroids, some, labels, unit, signal)).toBeGreaterThanOrEqual(4)
    expect(await native.inexactLabels(centroids, all, all.labels, unit, signal)).toBe(0)
    expect(await native.fartherLabels(centroids, labels, all.labels, unit, signal)).toBe(wrong.length)
    // Whatever the other is worth: who is nearer than it is not farther.
    expect(await native.fartherLabels(centroids, all.labels, labels, unit, signal)).toBe(0)
    expect(await native.sameLabels(labels, all.labels, signal)).toBe(n - wrong.length)
    native.close()
  })

  it('ends at a cancel', async () => {
    const native = verifierOf(points)
    const controller = new AbortController()
    const look = native.sample(centroids, controller.signal)
    controller.abort()
    await expect(look).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await native.ranges(signal)).toHaveLength(d)
    native.close()
  })
})
