import type { Points } from '../engine'

/** Mean of each feature and the sum of squares about it, float64: what J(i) needs beside the cluster sums. */
export interface Moments {
  readonly mean: Float64Array
  readonly squares: number
}

export function momentsOf({ x, n, d }: Points): Moments {
  const mean = new Float64Array(d)
  for (let i = 0, at = 0; i < n; i++) for (let j = 0; j < d; j++) mean[j] += x[at++]
  for (let j = 0; j < d; j++) mean[j] /= n
  let squares = 0
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = 0; j < d; j++) {
      const difference = x[at++] - mean[j]
      squares += difference * difference
    }
  }
  return { mean, squares }
}

/**
 * J of an assignment from its cluster sums: sum |x-m|^2 - 2 sum (c-m).(S-n_c m) + sum n_c |c-m|^2, about the
 * mean m so that little cancels.
 */
export function inertiaFromSums(
  moments: Moments,
  centroids: Float32Array,
  counts: Uint32Array,
  sums: Float64Array,
): number {
  const d = moments.mean.length
  let inertia = moments.squares
  for (let cluster = 0; cluster < counts.length; cluster++) {
    const members = counts[cluster]
    if (members === 0) continue
    for (let j = 0; j < d; j++) {
      const at = cluster * d + j
      const centre = centroids[at] - moments.mean[j]
      inertia += centre * (members * centre - 2 * (sums[at] - members * moments.mean[j]))
    }
  }
  return Math.max(0, inertia)
}
