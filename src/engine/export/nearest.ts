import type { Coordinates } from '../engines/engine'
/** Centroids summed side by side, so that no addition waits for the one before it. */
const abreast = 4

/**
 * Finds the nearest centroids of many points: float64, squared differences added in the order of the features, ties
 * to the lowest index, a centroid with NaN (dropped) never. The same answers as `nearestCentroid`, in half the
 * time: four centroids are interleaved and summed together. Cost O(n k d), about 1.3 ns a term.
 */
export class NearestFinder {
  readonly #d: number
  /** (ceil(k / 4), d, 4): NaN where there is no centroid, which no point is near to. */
  readonly #interleaved: Float64Array

  /** @param centroids (k, d), row-major */
  constructor(centroids: ArrayLike<number>, k: number, d: number) {
    this.#d = d
    this.#interleaved = new Float64Array(Math.ceil(k / abreast) * abreast * d).fill(NaN)
    for (let cluster = 0; cluster < k; cluster++) {
      const group = Math.floor(cluster / abreast) * d
      for (let j = 0; j < d; j++) {
        this.#interleaved[(group + j) * abreast + (cluster % abreast)] = centroids[cluster * d + j]
      }
    }
  }

  /** Writes the labels of points start..end-1 of `x` (n, d) into `labels` (n); -1 when no centroid is left. */
  assign(x: Coordinates, labels: Int32Array, start: number, end: number): void {
    assign(x, this.#interleaved, this.#d, labels, start, end)
  }
}

/** One function without calls or shared counters: V8 keeps the four sums in registers. */
function assign(
  x: Coordinates,
  centroids: Float64Array,
  d: number,
  labels: Int32Array,
  start: number,
  end: number,
): void {
  const groups = centroids.length / (abreast * d)
  const point = new Float64Array(d)
  for (let row = start; row < end; row++) {
    for (let j = 0; j < d; j++) point[j] = x[row * d + j]
    let best = Infinity
    let nearest = -1
    for (let group = 0, at = 0; group < groups; group++) {
      let first = 0
      let second = 0
      let third = 0
      let fourth = 0
      for (let j = 0; j < d; j++, at += 4) {
        const value = point[j]
        const a = value - centroids[at]
        const b = value - centroids[at + 1]
        const c = value - centroids[at + 2]
        const e = value - centroids[at + 3]
        first += a * a
        second += b * b
        third += c * c
        fourth += e * e
      }
      const cluster = group * abreast
      if (first < best) {
        best = first
        nearest = cluster
      }
      if (second < best) {
        best = second
        nearest = cluster + 1
      }
      if (third < best) {
        best = third
        nearest = cluster + 2
      }
      if (fourth < best) {
        best = fourth
        nearest = cluster + 3
      }
    }
    labels[row] = nearest
  }
}
