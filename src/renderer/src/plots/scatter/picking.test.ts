import { describe, expect, it } from 'vitest'
import { nearestPoint, pickGrid } from './picking'

/** A repeatable cloud with some missing places. */
function cloud(n: number) {
  const x = Float32Array.from({ length: n }, (_, i) => (i % 97 === 0 ? NaN : Math.sin(i * 12.9) * 5))
  const y = Float32Array.from({ length: n }, (_, i) => Math.cos(i * 7.3) * (i % 11))
  return { x, y }
}

function byHand({ x, y }: ReturnType<typeof cloud>, px: number, py: number, reach: number): number {
  let [best, found] = [1, -1]
  for (let i = 0; i < x.length; i++) {
    const distance = ((x[i] ?? NaN) - px) ** 2 / reach ** 2 + ((y[i] ?? NaN) - py) ** 2 / reach ** 2
    if (distance <= best) [best, found] = [distance, i]
  }
  return found
}

describe('the point under the pointer', () => {
  it('is the one that a search through all points finds', () => {
    const points = cloud(5000)
    const grid = pickGrid(points)
    for (let i = 0; i < 200; i++) {
      const [x, y] = [Math.sin(i) * 6, Math.cos(i * 3) * 11]
      expect(nearestPoint(grid, { x, y, reachX: 0.3, reachY: 0.3 })).toBe(byHand(points, x, y, 0.3))
    }
  })

  it('is none where none is near, and never one without a place', () => {
    const grid = pickGrid({ x: Float32Array.of(NaN, 1), y: Float32Array.of(0, 1) })
    expect(nearestPoint(grid, { x: 0, y: 0, reachX: 0.5, reachY: 0.5 })).toBe(-1)
    expect(nearestPoint(grid, { x: 1.1, y: 1, reachX: 0.5, reachY: 0.5 })).toBe(1)
    expect(nearestPoint(pickGrid(cloud(0)), { x: 0, y: 0, reachX: 1, reachY: 1 })).toBe(-1)
  })

  it('is the topmost of several at one place', () => {
    const grid = pickGrid({ x: Float32Array.of(2, 2, 2), y: Float32Array.of(2, 2, 2) })
    expect(nearestPoint(grid, { x: 2.1, y: 2, reachX: 1, reachY: 1 })).toBe(2)
  })
})
