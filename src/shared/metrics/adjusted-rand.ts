import type { Contingency } from './contingency'

const pairs = (count: number): number => (count * (count - 1)) / 2

/**
 * Adjusted Rand index of two clusterings: 1 for the same partition, about 0 for unrelated ones, negative for worse
 * than chance (Hubert and Arabie 1985, "Comparing partitions", equation 5). Two partitions without any choice (both
 * a single cluster, or every point alone in both) are the same one: 1. Fewer than two points make no pair that could
 * agree: null.
 */
export function adjustedRandIndex({ counts, rowSums, columnSums, total }: Contingency): number | null {
  if (total < 2) return null
  let together = 0
  for (const count of counts) together += pairs(count)
  const first = rowSums.reduce((sum, count) => sum + pairs(count), 0)
  const second = columnSums.reduce((sum, count) => sum + pairs(count), 0)
  const expected = (first / pairs(total)) * second
  const most = (first + second) / 2
  return most === expected ? 1 : (together - expected) / (most - expected)
}
