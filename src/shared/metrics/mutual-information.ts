import type { Contingency } from './contingency'

/**
 * Normalised mutual information of two clusterings, by the arithmetic mean of their entropies (natural logarithm), as
 * scikit-learn's `normalized_mutual_info_score`: 1 for the same partition, 0 where one tells nothing about the other. Two
 * partitions of a single cluster each are the same one: 1. Null where there is no point.
 */
export function normalisedMutualInformation(table: Contingency): number | null {
  const { rows, rowSums, columnSums, starts, columnOf, counts, total } = table
  if (total === 0) return null
  const [first, second] = [entropy(rowSums, total), entropy(columnSums, total)]
  if (isSingle(rowSums) && isSingle(columnSums)) return 1
  let shared = 0
  for (let row = 0; row < rows; row++) {
    for (let cell = starts[row]; cell < starts[row + 1]; cell++) {
      const count = counts[cell]
      const expected = (rowSums[row] / total) * columnSums[columnOf[cell]]
      shared += (count / total) * Math.log(count / expected)
    }
  }
  return shared <= Number.EPSILON ? 0 : shared / ((first + second) / 2)
}

function isSingle(sums: Float64Array): boolean {
  return sums.filter((sum) => sum > 0).length === 1
}

function entropy(sums: Float64Array, total: number): number {
  return sums.reduce((sum, count) => (count === 0 ? sum : sum - (count / total) * Math.log(count / total)), 0)
}
