import { expect, it } from 'vitest'
import { keptSlots, matchingClusters } from './kept-colours'
import { paletteOf, type ColourSlots } from './palette'

it('clusters are matched by the rows they share, each once', () => {
  const before = { k: 3, labels: Int32Array.of(0, 0, 0, 1, 1, 1, 2, 2, -1) }
  const after = { k: 4, labels: Int32Array.of(2, 2, 3, 0, 0, 0, 1, 1, 1) }
  expect(matchingClusters(before, after)).toEqual([1, 2, 0, -1])
})

const positions = (slots: ColourSlots) => slots.map(({ position }) => position)

it('a new cluster takes the first colour that is free', () => {
  const slots = keptSlots({ k: 3, slots: undefined }, [1, 2, 0, -1])
  expect(positions(slots)).toEqual([1, 2, 0, 3])
  // Fewer clusters again: the colour of the one that is gone is free.
  expect(positions(keptSlots({ k: 4, slots }, [3, 0]))).toEqual([3, 1])
  expect(positions(keptSlots({ k: 4, slots }, [3, -1]))).toEqual([3, 0])
})

it.each([
  [8, 9],
  [20, 21],
  [9, 8],
])('from %i to %i clusters those that stay keep their colours, and none looks like another', (k, next) => {
  const matched = Array.from({ length: next }, (_, cluster) => (cluster < k ? cluster : -1))
  const [was, is] = [paletteOf(k), paletteOf(next, new Map(), keptSlots({ k, slots: undefined }, matched))]
  for (let cluster = 0; cluster < Math.min(k, next); cluster++)
    expect(is.rgb(cluster)).toEqual(was.rgb(cluster))
  expect(new Set(is.pixels).size).toBe(next)
})

it('other rows, or very many clusters, match nothing', () => {
  const labels = Int32Array.of(0, 1)
  expect(matchingClusters({ k: 2, labels }, { k: 2, labels: Int32Array.of(0) })).toEqual([-1, -1])
  expect(matchingClusters({ k: 300, labels }, { k: 2, labels })).toEqual([-1, -1])
})
