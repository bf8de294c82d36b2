import { describe, expect, it } from 'vitest'
import { clusterPixels, pixelOf } from '../colours'
import { isSameView, paintPoints, paintView, type RasterPoints, type RasterView } from '../raster'
import { countPoints, rampStep, rampSteps } from './density'
import { KeptCounts } from './kept-counts'
import { densityColour, densityRamp, groundOf, legendCounts } from './density-ramp'

const view: RasterView = {
  ...{ width: 40, height: 20, minX: 0, maxX: 40, minY: 0, maxY: 20, radius: 1 },
  colours: clusterPixels(3),
  neutral: pixelOf([128, 128, 128]),
}
const pixels = (): Uint32Array => new Uint32Array(view.width * view.height)
const at = (buffer: Uint32Array, column: number, row: number): number => buffer[row * view.width + column]

/** `n` points, all but the last in one place. */
function crowded(n: number, labels: Int32Array | null = null): RasterPoints {
  const [x, y] = [new Float32Array(n).fill(10.5), new Float32Array(n).fill(9.5)]
  x[n - 1] = 30.5
  return { x, y, labels }
}

describe('counts of points', () => {
  it('hold every point in view once, and no missing one', () => {
    const x = Float32Array.of(0, 1, 2.5, 39.9, NaN, 41, -1)
    const y = Float32Array.of(1, 1, 2.5, 19.9, 1, 1, 1)
    const found = countPoints({ x, y }, view, 2, null)
    expect(found).toMatchObject({ columns: 20, rows: 10, drawn: 4, densest: 2 })
    expect(found.counts.reduce((sum, count) => sum + count, 0)).toBe(4)
    // y upwards: the last row of cells holds what lies lowest.
    expect(found.counts[9 * 20]).toBe(2)
  })

  it('rise along the ramp by their logarithm, from one point to the densest cell', () => {
    expect([1, 10, 100, 1000].map((count) => rampStep(count, 1000))).toEqual([0, 85, 170, 255])
    expect(rampStep(1, 1)).toBe(rampSteps - 1)
  })
})

describe('a density', () => {
  it('paints each cell in the colour of its count and nothing where no point is', () => {
    const density = densityRamp('light')
    const buffer = pixels()
    expect(paintView(buffer, crowded(50), { ...view, density })).toEqual({ drawn: 50, densest: 49 })
    expect(at(buffer, 10, 10)).toBe(density[rampSteps - 1])
    expect(at(buffer, 11, 11)).toBe(density[rampSteps - 1])
    expect(at(buffer, 30, 10)).toBe(density[0])
    expect(at(buffer, 20, 10)).toBe(0)
  })

  it('has colours whose lightness goes one way, for readers who see no hues', () => {
    const light = (share: number, ground: 'light' | 'dark'): number => {
      const [red, green, blue] = densityColour(ground, share)
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    for (let step = 1; step <= 10; step++) {
      expect(light(step / 10, 'light')).toBeLessThan(light((step - 1) / 10, 'light'))
      expect(light(step / 10, 'dark')).toBeGreaterThan(light((step - 1) / 10, 'dark'))
    }
    expect(groundOf({ ground: 'rgb(255, 255, 255)' })).toBe('light')
    expect(groundOf({ ground: 'rgb(20, 20, 24)' })).toBe('dark')
  })

  it('names powers of ten and the densest cell, none too near another', () => {
    expect(legendCounts(0)).toEqual([])
    expect(legendCounts(1)).toEqual([1])
    expect(legendCounts(7)).toEqual([1, 7])
    expect(legendCounts(1234)).toEqual([1, 10, 100, 1234])
    expect(legendCounts(2753)).toEqual([1, 10, 100, 2753])
    expect(legendCounts(8000)).toEqual([1, 10, 100, 1000, 8000])
    expect(legendCounts(3e7)).toEqual([1, 100, 10_000, 3e7])
  })
})

describe('very many points', () => {
  const n = 100_001

  it('are painted with other labels as they are from the beginning, and where they moved to', () => {
    const scattered = Float32Array.from({ length: n }, (_, i) => (i * 7.3) % 41)
    const points = (labelled: number): RasterPoints => ({
      x: scattered,
      y: scattered.map((value) => value / 2),
      labels: Int32Array.from({ length: n }, (_, i) => ((i * labelled) % 4) - 1),
    })
    const kept = new KeptCounts()
    const first = points(1)
    const shown = (of: RasterPoints, from?: KeptCounts, look = view) => {
      const buffer = pixels()
      const painted = paintView(buffer, of, look, from)
      return { painted, buffer }
    }
    shown(first, kept)
    const relabelled = { ...first, labels: points(3).labels }
    expect(shown(relabelled, kept)).toEqual(shown(relabelled))
    expect(shown(relabelled, kept).buffer).not.toEqual(shown(first).buffer)
    const nearer = { ...view, maxX: 20 }
    expect(shown(relabelled, kept, nearer)).toEqual(shown(relabelled, undefined, nearer))
    first.x[0] = 12
    kept.forget()
    expect(shown(relabelled, kept)).toEqual(shown(relabelled))
  })

  it('are more opaque where they are denser, and a point alone can still be seen', () => {
    const buffer = pixels()
    expect(paintPoints(buffer, crowded(n, new Int32Array(n).fill(1)), view)).toBe(n)
    expect(at(buffer, 10, 10)).toBe(view.colours[1])
    const alone = at(buffer, 30, 10)
    expect(alone & 0xffffff).toBe(view.colours[1] & 0xffffff)
    expect(alone >>> 24).toBeGreaterThan(100)
    expect(alone >>> 24).toBeLessThan(200)
    expect(at(buffer, 31, 10) >>> 24).toBeLessThan(alone >>> 24)
    expect(at(buffer, 20, 10)).toBe(0)
  })

  it('are paled where others are set off, which lie above them', () => {
    const selected = new Uint8Array(n)
    selected[n - 1] = 1
    const buffer = pixels()
    const points = { ...crowded(n, new Int32Array(n)), selected }
    expect(paintPoints(buffer, points, { ...view, ring: 0xff123456 })).toBe(n)
    expect(at(buffer, 10, 10) >>> 24).toBeLessThan(100)
    expect(at(buffer, 30, 10)).toBe(view.colours[0])
  })
})

it('a view is the same where each of its numbers and colours is', () => {
  const other = { ...view, colours: view.colours.slice() }
  expect(isSameView(view, other)).toBe(true)
  other.colours[1] = 0
  expect(isSameView(view, other)).toBe(false)
  expect(isSameView(view, { ...view, highlighted: 1 })).toBe(false)
  expect(isSameView({ ...view, density: densityRamp('light') }, { ...view, density: null })).toBe(false)
})
