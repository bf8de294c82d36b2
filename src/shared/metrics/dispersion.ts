/** What the members of each cluster come to about their mean, in one unit throughout. */
export interface Dispersion {
  readonly n: number
  readonly d: number
  /** (k) members; a cluster without any counts for nothing below. */
  readonly sizes: Float64Array
  /** (k, d) means of the members. */
  readonly means: Float64Array
  /** (k) sum of the squared distances of the members to their mean. */
  readonly squares: Float64Array
  /** (k) sum of their distances. */
  readonly distances: Float64Array
}

/**
 * Variance between clusters over variance within them (Caliński and Harabasz 1974), as scikit-learn's
 * `calinski_harabasz_score`: 1 where no cluster has any extent. Null below two clusters, or where every point is alone.
 */
export function calinskiHarabasz({ n, d, sizes, means, squares }: Dispersion): number | null {
  const members = filled(sizes)
  const k = members.length
  if (k < 2 || k >= n) return null
  const within = members.reduce((sum, cluster) => sum + squares[cluster], 0)
  if (within === 0) return 1
  const centre = meanOfAll({ n, d, sizes, means })
  let between = 0
  for (const cluster of members) {
    for (let j = 0; j < d; j++) between += sizes[cluster] * (means[cluster * d + j] - centre[j]) ** 2
  }
  return (between * (n - k)) / (within * (k - 1))
}

/**
 * Mean over the clusters of the largest (extent + extent) / distance with another (Davies and Bouldin 1979), as
 * scikit-learn's `davies_bouldin_score`: the extent is the mean distance to the mean, two clusters in one place count for
 * nothing, and 0 where no cluster has any extent or all lie in one place. Null as `calinskiHarabasz`.
 */
export function daviesBouldin({ n, d, sizes, means, distances }: Dispersion): number | null {
  const members = filled(sizes)
  if (members.length < 2 || members.length >= n) return null
  const extents = members.map((cluster) => distances[cluster] / sizes[cluster])
  const worst = new Float64Array(members.length)
  for (const [a, first] of members.entries()) {
    for (let b = a + 1; b < members.length; b++) {
      const apart = distanceOfRows(means, first, members[b], d)
      if (apart === 0) continue
      const ratio = (extents[a] + extents[b]) / apart
      worst[a] = Math.max(worst[a], ratio)
      worst[b] = Math.max(worst[b], ratio)
    }
  }
  return worst.reduce((sum, ratio) => sum + ratio, 0) / members.length
}

function filled(sizes: Float64Array): number[] {
  return [...sizes.keys()].filter((cluster) => sizes[cluster] > 0)
}

function meanOfAll({ n, d, sizes, means }: Pick<Dispersion, 'n' | 'd' | 'sizes' | 'means'>): Float64Array {
  const centre = new Float64Array(d)
  for (const cluster of filled(sizes)) {
    for (let j = 0; j < d; j++) centre[j] += (sizes[cluster] / n) * means[cluster * d + j]
  }
  return centre
}

function distanceOfRows(means: Float64Array, a: number, b: number, d: number): number {
  let sum = 0
  for (let j = 0; j < d; j++) sum += (means[a * d + j] - means[b * d + j]) ** 2
  return Math.sqrt(sum)
}
