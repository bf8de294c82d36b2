/** Sizes around every boundary there is: vectors, tiles, workgroups, blocks, limits of 1024. */
const dimensions = [1, 2, 3, 4, 7, 8, 16, 31, 64, 100, 300]
const clusterCounts = [1, 2, 3, 8, 31, 48, 64, 257, 1025, 5000]
const pointCounts = [1, 'k', 255, 256, 257, 1023, 1024, 1025, 100_003] as const

export interface Size {
  readonly n: number
  readonly d: number
  readonly k: number
}

/**
 * Every pair of d and k (or, sparse, every eighth, with each d and each k still in it) with a number of points that goes round the list, as far as n d k stays within the
 * bound; where no listed number fits, the pair is left to devices that can take it.
 */
export function coveringSizes(maxWork: number, sparse: boolean): Size[] {
  return dimensions.flatMap((d, row) =>
    clusterCounts.flatMap((k, column) => {
      if (sparse && (row * 3 + column) % 8 !== 0) return []
      const turned = pointCounts.map((_, turn) => pointCounts[(row * 4 + column + turn) % pointCounts.length])
      const fitting = turned
        .map((count) => (count === 'k' ? k : count))
        .filter((n) => n >= k && n * d * k <= maxWork)
      return fitting.length === 0 ? [] : [{ n: fitting[0], d, k }]
    }),
  )
}
