/**
 * Squared Euclidean distance of a row of `x` (n, d) to a row of `centroids` (k, d), both row-major, in float64.
 * Units: those of the arrays, squared.
 */
export function squaredDistance(
  x: ArrayLike<number>,
  row: number,
  centroids: ArrayLike<number>,
  cluster: number,
  d: number,
): number {
  let sum = 0
  for (let j = 0, a = row * d, c = cluster * d; j < d; j++) {
    const difference = x[a + j] - centroids[c + j]
    sum += difference * difference
  }
  return sum
}

/**
 * Index of the nearest centroid, ties to the lowest index; a centroid with NaN (a dropped cluster) never wins.
 * @returns -1 when no centroid is left
 */
export function nearestCentroid(
  x: ArrayLike<number>,
  row: number,
  centroids: ArrayLike<number>,
  k: number,
  d: number,
): number {
  let best = Infinity
  let nearest = -1
  for (let cluster = 0; cluster < k; cluster++) {
    const distance = squaredDistance(x, row, centroids, cluster, d)
    if (distance < best) {
      best = distance
      nearest = cluster
    }
  }
  return nearest
}
