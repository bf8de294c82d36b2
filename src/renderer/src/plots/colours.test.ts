import { describe, expect, it } from 'vitest'
import { clusterColour, clusterPixels, clusterShape, cssColour, pixelOf, rgbOfOklch } from './colours'

const allOf = (k: number): Set<string> =>
  new Set(Array.from({ length: k }, (_, cluster) => cssColour(clusterColour(cluster, k))))

describe('cluster colours', () => {
  it.each([1, 8, 9, 20, 21, 60])('are %i different ones', (k) => {
    expect(allOf(k).size).toBe(k)
  })

  it('are Okabe and Ito’s for few clusters', () => {
    expect(clusterColour(0, 3)).toEqual([0, 114, 178])
    expect(clusterColour(1, 8)).toEqual([230, 159, 0])
  })

  it('convert from OKLCH as published', () => {
    // OKLCH of pure sRGB red, after Ottosson.
    const [red, green, blue] = rgbOfOklch(0.62796, 0.25768, 29.234)
    expect(red).toBeGreaterThan(252)
    expect(green).toBeLessThan(6)
    expect(blue).toBeLessThan(6)
  })

  it('become pixels in the byte order of ImageData', () => {
    const bytes = new Uint8ClampedArray(Uint32Array.of(pixelOf([1, 2, 3])).buffer)
    expect([...bytes]).toEqual([1, 2, 3, 255])
    expect(clusterPixels(5)).toHaveLength(5)
  })

  it('go with a shape as second cue', () => {
    expect(new Set([0, 1, 2, 3].map(clusterShape)).size).toBe(4)
  })
})
