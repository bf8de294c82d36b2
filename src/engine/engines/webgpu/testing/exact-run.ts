import type { Points } from '../../engine'
import { exactDistance } from '../exact-distance'

/** Squared distances closer than this share of the smaller one are compared as integers. */
const unsure = 1e-9

/** What a run in exact arithmetic leaves: labels against the last centroids, as `read` has them. */
export interface ExactRun {
  readonly labels: Int32Array
  readonly centroids: Float32Array
  readonly changed: readonly number[]
}

/** `iterations` of the contract from `start` (k, d), every label and every mean exact. */
export function exactRun(points: Points, start: Float32Array, iterations: number): ExactRun {
  const k = start.length / points.d
  let centroids = start
  let labels = new Int32Array(points.n).fill(-1)
  const changed: number[] = []
  for (let i = 0; i < iterations; i++) {
    const next = exactLabels(points, centroids)
    changed.push(next.reduce((sum, label, at) => sum + (label === labels[at] ? 0 : 1), 0))
    labels = next
    centroids = exactMeans(points, labels, centroids, k)
  }
  return { labels: exactLabels(points, centroids), centroids, changed }
}

/** The nearest centroid of each point, the lowest index of equal ones. */
export function exactLabels({ x, n, d }: Points, centroids: Float32Array): Int32Array<ArrayBuffer> {
  const k = centroids.length / d
  const distances = new Float64Array(k)
  return Int32Array.from({ length: n }, (_, i) => {
    for (let c = 0; c < k; c++) distances[c] = distanceOf(x, i, centroids, c, d)
    const limit = Math.min(...distances) * (1 + unsure) + 1e-280
    const near = [...distances.keys()].filter((c) => distances[c] <= limit)
    if (near.length === 1) return near[0]
    const exact = near.map((c) => exactDistance(x, i, centroids, c, d))
    return near[exact.indexOf(exact.reduce((least, each) => (each < least ? each : least)))]
  })
}

function distanceOf(x: Float32Array, i: number, centroids: Float32Array, c: number, d: number): number {
  let sum = 0
  for (let j = 0; j < d; j++) sum += (x[i * d + j] - centroids[c * d + j]) ** 2
  return sum
}

function exactMeans(
  { x, n, d, maxAbs }: Points,
  labels: Int32Array,
  before: Float32Array,
  k: number,
): Float32Array {
  const scales = Float64Array.from(maxAbs, (largest) => 2 ** powerOf(largest, n))
  const sums = new Array<bigint>(k * d).fill(0n)
  const members = new Int32Array(k)
  for (let i = 0; i < n; i++) {
    members[labels[i]]++
    for (let j = 0; j < d; j++) sums[labels[i] * d + j] += BigInt(toEven(x[i * d + j] * scales[j]))
  }
  return Float32Array.from(sums, (sum, at) => {
    const cluster = Math.floor(at / d)
    if (members[cluster] === 0) return before[at]
    return (Number(sum) * (1 / scales[at % d])) / members[cluster]
  })
}

/** As kernels/common/fixed_point.hpp. */
function powerOf(largest: number, n: number): number {
  let above = largest === 0 ? 0 : Math.floor(Math.log2(largest)) - 1
  while (largest > 0 && 2 ** above <= largest) above++
  return Math.min(62 - Math.ceil(Math.log2(n)) - above, 126)
}

/** To the nearest whole number, halves to the even one. */
function toEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value - Math.trunc(value)) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}
