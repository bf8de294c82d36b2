import { describe, expect, it } from 'vitest'
import { randomPoints } from '@tests/parity/fixtures'
import { preparedPoints } from '@tests/parity/prepared-points'
import { seed } from '.'
import { philox4x32 } from './philox'
import { boxOf, randomBox } from './random-box'
import { typescriptKernel } from './typescript-kernel'

const box = (least: number[], most: number[]) => ({
  least: Float32Array.from(least),
  most: Float32Array.from(most),
})

/** The definition of kernels/contract.md, straight from the words of a block. */
function byDefinition(least: number, most: number, c: number, j: number, seedValue: number): number {
  const words = new Uint32Array(4)
  philox4x32([j, 0, c, 10], [seedValue, 0], words)
  const u = (Math.floor(words[0] / 2 ** 5) * 2 ** 26 + Math.floor(words[1] / 2 ** 6)) / 2 ** 53
  return Math.fround(Math.min(most, least + u * (most - least)))
}

describe('random coordinates', () => {
  it('are those of the definition, and of these bytes', () => {
    const centroids = randomBox(box([-0.5, 0.25], [0.75, 0.5]), 3, 7)
    for (let c = 0; c < 3; c++) {
      expect(centroids[2 * c]).toBe(byDefinition(-0.5, 0.75, c, 0, 7))
      expect(centroids[2 * c + 1]).toBe(byDefinition(0.25, 0.5, c, 1, 7))
    }
    expect([...new Uint32Array(centroids.buffer)]).toMatchInlineSnapshot(`
      [
        1051872996,
        1056433320,
        1057176600,
        1049529230,
        1045047233,
        1052849315,
      ]
    `)
  })

  it('are the same for a seed and others for the next, and more centroids leave the first ones', () => {
    const unit = box([0, 0, 0], [1, 1, 1])
    expect(randomBox(unit, 9, 4)).toEqual(randomBox(unit, 9, 4))
    expect(randomBox(unit, 9, 5)).not.toEqual(randomBox(unit, 9, 4))
    expect(randomBox(unit, 9, 4).subarray(0, 12)).toEqual(randomBox(unit, 4, 4))
  })

  it('fill the box evenly and never leave it', () => {
    const centroids = randomBox(box([-1], [0.5]), 20_000, 1)
    const tenths = new Array<number>(10).fill(0)
    for (const value of centroids) tenths[Math.floor(((value + 1) / 1.5) * 10)]++
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200)
    const odd = box([-1, 2 ** -149, -0.1], [2 ** -53 * 1.5, 2 ** -148, -0.1])
    const drawn = randomBox(odd, 5000, 3)
    for (let at = 0; at < drawn.length; at++) {
      expect(drawn[at]).toBeGreaterThanOrEqual(odd.least[at % 3])
      expect(drawn[at]).toBeLessThanOrEqual(odd.most[at % 3])
    }
  })

  it('lie within the least box around the points, on a constant feature at its value', async () => {
    const { x, n, d } = randomPoints({ n: 5000, d: 3, seed: 2 })
    for (let i = 0; i < n; i++) x[i * d + 1] = 0.375
    const { least, most } = await boxOf({ x, n, d })
    const first = Array.from({ length: n }, (_, i) => x[i * d])
    expect([least[0], most[0]]).toEqual([Math.min(...first), Math.max(...first)])
    const centroids = randomBox({ least, most }, 4, 1)
    expect([1, 4, 7, 10].map((at) => centroids[at])).toEqual([0.375, 0.375, 0.375, 0.375])
  })

  it('are what a run starts from, and end at a cancel', async () => {
    const points = preparedPoints(randomPoints({ n: 300, d: 2, seed: 8 }))
    const config = { init: 'random-box', k: 6, centroidsFile: null, features: [] } as const
    const start = await seed(points, config, 3, typescriptKernel, new AbortController().signal)
    expect(start).toEqual(randomBox(await boxOf(points), 6, 3))
    await expect(seed(points, config, 3, typescriptKernel, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'cancelled',
    })
  })
})
