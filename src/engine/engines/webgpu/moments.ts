import type { Points } from '../engine'
import { LaneSum } from './lane-sum'

/** Mean of each feature and the sum of squares about it, float64: what J(i) needs beside the cluster sums. */
export interface Moments {
  readonly mean: Float64Array
  readonly squares: number
}

/** Sums of so many points are added up before they are added to the others, as kernels/common/moments.cpp does. */
const blockPoints = 1024

export function momentsOf(points: Points): Moments {
  const mean = meanOf(points)
  return { mean, squares: squaresAbout(points, mean) }
}

function meanOf({ x, n, d }: Points): Float64Array {
  const mean = new Float64Array(d)
  const block = new Float64Array(d)
  for (let first = 0; first < n; first += blockPoints) {
    block.fill(0)
    for (let at = first * d; at < Math.min(n, first + blockPoints) * d; at += d) {
      for (let j = 0; j < d; j++) block[j] += x[at + j]
    }
    for (let j = 0; j < d; j++) mean[j] += block[j]
  }
  return mean.map((sum) => sum / n)
}

function squaresAbout({ x, n, d }: Points, mean: Float64Array): number {
  let squares = 0
  for (let first = 0; first < n; first += blockPoints) {
    let block = 0
    for (let at = first * d; at < Math.min(n, first + blockPoints) * d; at += d) {
      for (let j = 0; j < d; j++) {
        const difference = x[at + j] - mean[j]
        block += difference * difference
      }
    }
    squares += block
  }
  return squares
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
  const clusters = new LaneSum()
  const features = new LaneSum()
  for (let cluster = 0; cluster < counts.length; cluster++) {
    const members = counts[cluster]
    features.clear()
    for (let j = 0; members > 0 && j < d; j++) {
      const at = cluster * d + j
      const centre = centroids[at] - moments.mean[j]
      features.add(centre * (members * centre - 2 * (sums[at] - members * moments.mean[j])))
    }
    clusters.add(features.total())
  }
  return Math.max(0, moments.squares + clusters.total())
}
