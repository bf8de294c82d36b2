import { describe, expect, it } from 'vitest'
import { clusterPixels, pixelOf } from './colours'
import { glyphOf, pointRadius } from './glyphs'
import { paintPoints, type RasterView } from './raster'

const neutral = pixelOf([128, 128, 128])
const view: RasterView = {
  width: 40,
  height: 20,
  minX: 0,
  maxX: 4,
  minY: 0,
  maxY: 2,
  radius: 2,
  colours: clusterPixels(3),
  neutral,
}
const pixels = (): Uint32Array => new Uint32Array(view.width * view.height)
const at = (buffer: Uint32Array, column: number, row: number): number => buffer[row * view.width + column]

describe('the raster of points', () => {
  it('puts a point where it belongs, y upwards, in the colour of its cluster', () => {
    const buffer = pixels()
    const points = { x: Float32Array.of(1), y: Float32Array.of(1.5), labels: Int32Array.of(2) }
    expect(paintPoints(buffer, points, view)).toBe(1)
    expect(at(buffer, 10, 5)).toBe(view.colours[2])
    expect(at(buffer, 10, 15)).toBe(0)
  })

  it('draws unlabelled and left-out rows neutral', () => {
    const points = { x: Float32Array.of(1, 3), y: Float32Array.of(1, 1), labels: Int32Array.of(-1, 0) }
    const buffer = pixels()
    paintPoints(buffer, points, view)
    expect(at(buffer, 10, 10)).toBe(neutral)
    expect(at(buffer, 30, 10)).toBe(view.colours[0])
    paintPoints(buffer, { ...points, labels: null }, view)
    expect(at(buffer, 30, 10)).toBe(neutral)
  })

  it('skips missing values and points out of view, and cuts marks at the edge', () => {
    const points = { x: Float32Array.of(NaN, 1, 99, 0), y: Float32Array.of(1, NaN, 1, 2), labels: null }
    const buffer = pixels()
    expect(paintPoints(buffer, points, view)).toBe(1)
    expect(at(buffer, 0, 0)).toBe(neutral)
    expect(at(buffer, 39, 0)).toBe(0)
  })

  it('pales the others where rows are picked out, and rings those', () => {
    const points = { x: Float32Array.of(1, 3), y: Float32Array.of(1, 1), labels: Int32Array.of(0, 1) }
    const buffer = pixels()
    const selected = Uint8Array.of(0, 1)
    expect(paintPoints(buffer, { ...points, selected }, { ...view, ring: 0xff123456 })).toBe(2)
    expect(at(buffer, 10, 10) >>> 24).toBeLessThan(100)
    expect(at(buffer, 30, 10)).toBe(view.colours[1])
    // Beyond the mark itself lies its ring, mostly of the ring's own colour.
    const edge = at(buffer, 33, 10)
    expect(edge >>> 24).toBe(255)
    expect(Math.abs((edge & 255) - 0x56)).toBeLessThan(60)
  })

  it('pales the others where a cluster is set off', () => {
    const points = { x: Float32Array.of(1, 3), y: Float32Array.of(1, 1), labels: Int32Array.of(0, 1) }
    const buffer = pixels()
    paintPoints(buffer, points, { ...view, highlighted: 0 })
    expect(at(buffer, 10, 10)).toBe(view.colours[0])
    expect(at(buffer, 30, 10) >>> 24).toBeLessThan(100)
  })

  it('draws every one of many points', () => {
    const n = 5000
    const x = Float32Array.from({ length: n }, (_, i) => (i % 40) / 10)
    const points = { x, y: new Float32Array(n).fill(1), labels: null }
    expect(paintPoints(pixels(), points, view)).toBe(n)
  })
})

describe('the marks of points', () => {
  it('have about the same area in every shape', () => {
    const area = (shape: Parameters<typeof glyphOf>[0]): number =>
      glyphOf(shape, 6).alpha.reduce((sum, alpha) => sum + alpha / 255, 0)
    const circle = area('circle')
    for (const shape of ['square', 'triangle', 'diamond', 'inverted-triangle'] as const)
      expect(area(shape) / circle).toBeGreaterThan(0.75)
  })

  it('shrink as points grow in number', () => {
    expect(pointRadius(100)).toBeGreaterThan(pointRadius(100_000))
  })
})
