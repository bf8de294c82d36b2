import { expect, it } from 'vitest'
import { paletteOf } from '../palette'
import { clusterLegend } from './cluster-legend'

it('a legend has the names a person gave, in as many rows as it takes', () => {
  const palette = paletteOf(12, new Map([[1, { name: 'the large ones' }]]))
  const clusters = Array.from({ length: 12 }, (_, cluster) => cluster)
  const { captions, height } = clusterLegend(clusters, palette, 40, 200)
  expect(captions.map(({ text }) => text).slice(0, 3)).toEqual(['0', 'the large ones', '2'])
  const rows = new Set(captions.map(({ top }) => top))
  expect(rows.size).toBeGreaterThan(1)
  expect(height).toBe(rows.size * 18)
  expect(captions.every(({ left }) => left >= 12 && left < 200)).toBe(true)
})

it('of very many clusters the first are named and the others counted', () => {
  const palette = paletteOf(100)
  const clusters = Array.from({ length: 100 }, (_, cluster) => cluster)
  const { captions } = clusterLegend(clusters, palette, 0, 2000)
  expect(captions.at(-1)?.text).toBe('and 40 more')
  expect(clusterLegend([], palette, 0, 100)).toEqual({ captions: [], height: 0 })
})
