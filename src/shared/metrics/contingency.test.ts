import { describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { ContingencyCounter, countAt, type Contingency } from './contingency'
import { matchClusters } from './cluster-matching'
import { contingency } from './testing/contingency'

const cellsOf = ({ rows, starts, columnOf, counts }: Contingency) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: starts[row + 1] - starts[row] }, (_, i) => starts[row] + i).map((cell) => ({
      ...{ row, column: columnOf[cell], count: counts[cell] },
    })),
  ).flat()

describe('contingency table', () => {
  it('counts how often two labels meet', () => {
    const table = contingency([0, 0, 1, 1, 1], [1, 1, 1, 0, 0], 2, 2)
    expect(cellsOf(table)).toEqual([
      { row: 0, column: 1, count: 2 },
      { row: 1, column: 0, count: 2 },
      { row: 1, column: 1, count: 1 },
    ])
    expect([table.total, ...table.rowSums, ...table.columnSums]).toEqual([5, 2, 3, 2, 3])
  })

  it('has empty clusters and no points', () => {
    const table = contingency([2], [0], 3, 1)
    expect([...table.rowSums]).toEqual([0, 0, 1])
    const nothing = contingency([], [], 2, 2)
    expect([nothing.total, ...nothing.starts, nothing.counts.length]).toEqual([0, 0, 0, 0, 0])
  })

  it('knows how often two clusters meet, and that others never do', () => {
    const table = contingency([0, 0, 2, 2, 2], [3, 1, 3, 3, 0], 3, 4)
    expect([countAt(table, 0, 1), countAt(table, 2, 3), countAt(table, 2, 1), countAt(table, 1, 3)]).toEqual([
      1, 2, 0, 0,
    ])
  })

  it(
    'of 5000 by 5000 clusters that meet in millions of pairs gives way often while it is made and matched',
    measuresTime,
    () => {
      const [k, n] = [5000, 3_000_000]
      const counter = new ContingencyCounter(k, k, n)
      for (let point = 0; point < n; point++)
        counter.add((point * 7919) % k, Math.floor((point * 2654435761) / 977) % k)
      let longest = 0
      const timed = <T>(work: Generator<undefined, T>): T => {
        for (;;) {
          const began = performance.now()
          const step = work.next()
          longest = Math.max(longest, performance.now() - began)
          if (step.done === true) return step.value
        }
      }
      const table = timed(counter.table())
      expect(table.counts.length).toBeGreaterThan(1_000_000)
      expect(new Set(timed(matchClusters(table))).size).toBe(k)
      // A slice is 20 ms; one sort of so many cells as objects took seconds.
      expect(longest).toBeLessThan(250)
    },
  )
})
