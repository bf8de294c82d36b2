import { expect, it } from 'vitest'
import { keptSlots, matchingClusters } from './kept-colours'

it('clusters are matched by the rows they share, each once', () => {
  const before = { k: 3, labels: Int32Array.of(0, 0, 0, 1, 1, 1, 2, 2, -1) }
  const after = { k: 4, labels: Int32Array.of(2, 2, 3, 0, 0, 0, 1, 1, 1) }
  expect(matchingClusters(before, after)).toEqual([1, 2, 0, -1])
})

it('a new cluster takes the first colour that is free', () => {
  const slots = keptSlots({ k: 3, slots: undefined }, [1, 2, 0, -1])
  expect(slots).toEqual({ of: [1, 2, 0, 3], size: 4 })
  // Fewer clusters again: the colour of the one that is gone is free, the palette stays as large.
  expect(keptSlots({ k: 4, slots }, [3, 0])).toEqual({ of: [3, 1], size: 4 })
  expect(keptSlots({ k: 4, slots }, [3, -1])).toEqual({ of: [3, 0], size: 4 })
})

it('other rows, or very many clusters, match nothing', () => {
  const labels = Int32Array.of(0, 1)
  expect(matchingClusters({ k: 2, labels }, { k: 2, labels: Int32Array.of(0) })).toEqual([-1, -1])
  expect(matchingClusters({ k: 300, labels }, { k: 2, labels })).toEqual([-1, -1])
})
