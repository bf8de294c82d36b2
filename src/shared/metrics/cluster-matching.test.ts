import { describe, expect, it } from 'vitest'
import { largestAssignment } from './assignment-problem'
import { matchClusters, maxMatchedExactly } from './cluster-matching'
import type { Contingency } from './contingency'
import { contingency, drained } from './testing/contingency'

/** The clusters meet as often as a dense table says. */
function tableOf(dense: readonly (readonly number[])[]): Contingency {
  const cells = dense.flatMap((counts, row) =>
    counts.flatMap((count, column) => Array.from({ length: count }, () => [row, column] as const)),
  )
  const [rows, columns] = [cells.map(([row]) => row), cells.map(([, column]) => column)]
  return contingency(rows, columns, dense.length, dense[0].length)
}

const match = (dense: readonly (readonly number[])[]) => [...drained(matchClusters(tableOf(dense)))]

describe('best matching of clusters', () => {
  it('finds the largest sum, not the largest single overlap', () => {
    // Greedy would take 10 and be left with 0; 9 + 8 is the best.
    expect(
      match([
        [10, 9],
        [8, 0],
      ]),
    ).toEqual([1, 0])
  })

  it.each([
    [
      'the same clusters in another order',
      [
        [0, 5, 0],
        [0, 0, 7],
        [4, 0, 0],
      ],
      [1, 2, 0],
    ],
    ['one cluster', [[12]], [0]],
    [
      'more clusters in the second',
      [
        [3, 4, 0],
        [0, 9, 1],
      ],
      [0, 1],
    ],
    [
      'more clusters in the first',
      [
        [3, 0],
        [4, 9],
        [0, 1],
      ],
      [0, 1, -1],
    ],
    [
      'an empty cluster on each side',
      [
        [5, 0, 0],
        [0, 0, 0],
        [0, 0, 6],
      ],
      [0, 1, 2],
    ],
    [
      'nothing shared',
      [
        [0, 0],
        [0, 0],
      ],
      [0, 1],
    ],
    [
      'ties, the same every time',
      [
        [2, 2],
        [2, 2],
      ],
      [0, 1],
    ],
  ])('matches %s', (_, dense, expected) => {
    expect(match(dense)).toEqual(expected)
  })

  it.each([
    [3, 3],
    [4, 6],
    [6, 4],
    [7, 7],
  ])('is as good as trying all of %i by %i', (rows, columns) => {
    for (let seed = 1; seed <= 20; seed++) {
      const dense = Array.from({ length: rows }, (_, i) =>
        Array.from({ length: columns }, (_, j) => ((i * 31 + j * 17) * seed * 2654435761) % 23),
      )
      const matched = match(dense)
      const chosen = matched.filter((column) => column >= 0)
      expect(new Set(chosen).size).toBe(Math.min(rows, columns))
      const sum = matched.reduce((all, column, row) => all + (column < 0 ? 0 : dense[row][column]), 0)
      expect(sum).toBe(bestOfAll(dense, 0, new Set()))
    }
  })

  it('gives way while it works', () => {
    expect([...largestAssignment(Float64Array.of(1, 2, 3, 4), 2, 2)]).toHaveLength(2)
  })

  it('takes the largest overlaps first where there are too many clusters to try', () => {
    const k = maxMatchedExactly + 1
    const rows = Array.from({ length: k }, (_, row) => Array.from({ length: row }, () => row)).flat()
    const table = contingency(
      rows,
      rows.map((row) => k - 1 - row),
      k,
      k,
    )
    const matched = drained(matchClusters(table))
    expect(matched[0]).toBe(k - 1)
    expect(matched[5]).toBe(k - 6)
    expect(new Set(matched).size).toBe(k)
  })
})

function bestOfAll(dense: readonly (readonly number[])[], row: number, taken: ReadonlySet<number>): number {
  if (row === dense.length) return 0
  const rest = dense.length - row > dense[0].length - taken.size
  let best = rest ? bestOfAll(dense, row + 1, taken) : 0
  for (const [column, count] of dense[row].entries()) {
    if (taken.has(column)) continue
    best = Math.max(best, count + bestOfAll(dense, row + 1, new Set([...taken, column])))
  }
  return best
}
