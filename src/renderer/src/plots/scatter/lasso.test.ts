import { describe, expect, it } from 'vitest'
import { bandedPolygon, isInside, pointsInside, type Polygon } from './lasso'

/** Runs it to its end; answers how often it paused too. */
function all(points: { x: Float32Array; y: Float32Array }, polygon: Polygon) {
  const run = pointsInside(points, polygon)
  let pauses = 0
  for (;;) {
    const { done, value } = run.next()
    if (done) return { rows: value, pauses }
    pauses++
  }
}

/** Every edge tested, as in Shimrat's paper. */
function byHand({ xs, ys }: Polygon, x: number, y: number): boolean {
  const n = xs.length
  let inside = false
  for (let i = 0; i < n; i++) {
    const j = (i + n - 1) % n
    const [xi, yi, xj, yj] = [xs[i] ?? NaN, ys[i] ?? NaN, xs[j] ?? NaN, ys[j] ?? NaN]
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/** A star that crosses itself, with a thousand corners. */
const star: Polygon = {
  xs: Float64Array.from({ length: 1000 }, (_, i) => Math.cos(i * 2.4) * (3 + Math.sin(i))),
  ys: Float64Array.from({ length: 1000 }, (_, i) => Math.sin(i * 2.4) * (3 + Math.cos(i * 0.7))),
}

describe('a lasso', () => {
  it('takes what lies inside, of a hollow shape too', () => {
    // A U open at the top: the middle of the opening is outside.
    const polygon = {
      xs: Float64Array.of(0, 4, 4, 3, 3, 1, 1, 0),
      ys: Float64Array.of(0, 0, 4, 4, 1, 1, 4, 4),
    }
    const points = { x: Float32Array.of(0.5, 2, 2, 3.5, 9, NaN), y: Float32Array.of(2, 0.5, 3, 3, 9, 1) }
    expect([...all(points, polygon).rows]).toEqual([0, 1, 3])
  })

  it('agrees with a test of every edge, however it is drawn', () => {
    const banded = bandedPolygon(star)
    let inside = 0
    for (let i = 0; i < 4000; i++) {
      const [x, y] = [Math.sin(i * 12.9) * 4.5, Math.cos(i * 7.3) * 4.5]
      const expected = byHand(star, x, y)
      expect(isInside(banded, x, y)).toBe(expected)
      if (expected) inside++
    }
    expect(inside).toBeGreaterThan(300)
  })

  it('without an area takes nothing', () => {
    const points = { x: Float32Array.of(1, 1), y: Float32Array.of(1, 2) }
    expect(all(points, { xs: Float64Array.of(0, 1, 2), ys: Float64Array.of(1, 1, 1) }).rows).toHaveLength(0)
    expect(all(points, { xs: new Float64Array(), ys: new Float64Array() }).rows).toHaveLength(0)
  })

  it('lets other work in between while there are very many points', () => {
    const n = 1_200_000
    const points = {
      x: Float32Array.from({ length: n }, (_, i) => (i % 3) - 1),
      y: new Float32Array(n),
    }
    const square = { xs: Float64Array.of(-0.5, 0.5, 0.5, -0.5), ys: Float64Array.of(-1, -1, 1, 1) }
    const { rows, pauses } = all(points, square)
    expect(pauses).toBe(2)
    expect(rows).toHaveLength(n / 3)
    expect(rows.at(-1)).toBe(n - 2)
  })
})
