import { describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { pointsOf } from '../cpu/testing/points'
import { fillWithFarthest } from './empty-clusters'
import { FarthestQueue } from './farthest-queue'

describe('the farthest points', () => {
  it('come in falling distance, lowest index first among equals', async () => {
    const distances = Float64Array.from({ length: 1000 }, (_, i) => (i * 7919) % 83)
    const queue = await FarthestQueue.of(distances, (point) => BigInt(distances[point]))
    const taken = Array.from(distances, () => queue.take())
    const sorted = [...distances.keys()].sort((a, b) => distances[b] - distances[a] || a - b)
    expect(taken).toEqual(sorted)
    expect(queue.take()).toBeUndefined()
  })
})

describe('empty clusters under farthest', () => {
  it('take points whose donors keep a member, and the donors mean what is left', async () => {
    const points = pointsOf([0, 0.25, 1, 0.5], 1)
    const labels = Int32Array.of(0, 0, 0, 3)
    const before = Float32Array.of(0, 9, 9, 0)
    const means = Float32Array.of(1.25 / 3, 9, 9, 0.5)
    const centroids = await fillWithFarthest(points, labels, Uint32Array.of(3, 0, 0, 1), before, means)
    expect([...centroids]).toEqual([0, 1, 0.25, 0.5])
  })

  it('lets other events pass, however many are empty', measuresTime, async () => {
    const n = 400_000
    const k = 1000
    const points = pointsOf(
      Float32Array.from({ length: n }, (_, i) => (i % 1009) / 1009),
      1,
    )
    const counts = new Uint32Array(k)
    counts[0] = n
    let longest = 0
    let last = performance.now()
    const look = () => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
    const watch = setInterval(look, 1)
    await fillWithFarthest(points, new Int32Array(n), counts, new Float32Array(k), new Float32Array(k))
    clearInterval(watch)
    look()
    // A scan of all points for each empty cluster would hold the event loop for seconds.
    expect(longest).toBeLessThan(400)
  })
})
