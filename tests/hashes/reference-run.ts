import type { PreparedPoints } from '@engine/dataset/prepared'
import type { Points } from '@engine/engines/engine'
import { seed } from '@engine/init'
import { typescriptKernel } from '@engine/init/typescript-kernel'
import { resultHash, type HashedResult } from '@engine/run/result-hash'
import { thresholdFor } from '@engine/run/units'
import type { RunConfig } from '@shared/run-config'
import { exactLabels, exactSquare } from '../parity/exact-arithmetic'
import { clustersInPlay, squaredDistance } from '../parity/reference'

const never = new AbortController().signal
const rowsOfMoments = 1024
const rowsOfTotals = 1 << 14

/** `kernels/contract.md`, "Canonical", word for word: whole numbers and float64, no engine. */
export async function referenceHash(prepared: PreparedPoints, config: RunConfig): Promise<string> {
  const points = prepared as PreparedPoints & Points
  let best: HashedResult | null = null
  for (let run = 0; run < config.nInit; run++) {
    const start = await seed(
      prepared,
      { ...config, features: [] },
      config.seed + run,
      typescriptKernel,
      never,
    )
    const outcome = referenceRun(points, Float32Array.from(start), config, thresholdFor(config, prepared))
    if (best === null || outcome.inertia < best.inertia) best = outcome
  }
  if (best === null) throw new Error('no restarts')
  return resultHash(best, never)
}

function referenceRun(
  points: Points,
  start: Float32Array,
  config: RunConfig,
  threshold: number,
): HashedResult {
  const { k, stop, empty, maxIterations } = config
  const { n, d } = points
  const moments = momentsOf(points)
  let centroids = start
  let labels: Int32Array | null = null
  let inertiaBefore = Number.NaN
  let iterations = 0
  while (iterations < maxIterations) {
    iterations++
    const next = exactLabels(points, centroids, k)
    const changed = next.reduce((sum, label, i) => sum + (labels?.[i] === label ? 0 : 1), 0)
    labels = next
    const sums = wholeSums(points, labels, k)
    const inertia = inertiaFromSums(moments, points, centroids, sums, k)
    const after = update(points, centroids, labels, sums, empty, k)
    const shift = shiftOf(centroids, after, k, d)
    centroids = after
    const isMet = {
      'relative-shift': shift.squared <= threshold,
      'coordinate-shift': shift.coordinate <= threshold,
      inertia: iterations > 1 && inertiaBefore - inertia < threshold,
      labels: changed <= threshold * n,
      none: false,
    }[stop]
    inertiaBefore = inertia
    if (isMet || (stop !== 'none' && shift.coordinate === 0)) break
  }
  const final = exactLabels(points, centroids, k)
  return { n, d, iterations, labels: final, centroids, inertia: totalOf(points, centroids, final, k) }
}

interface Sums {
  readonly whole: bigint[]
  readonly counts: number[]
  readonly powers: readonly number[]
}

/** x * 2^power to the nearest whole number, halves to the even one. */
function whole(value: number, power: number): bigint {
  const scaled = value * 2 ** power
  const below = Math.floor(scaled)
  const rest = scaled - below
  const up = rest > 0.5 || (rest === 0.5 && below % 2 !== 0)
  return BigInt(up ? below + 1 : below)
}

function powersOf({ n, maxAbs }: Points): number[] {
  let bits = 0
  while (2 ** bits < n) bits++
  return Array.from(maxAbs, (largest) => {
    let exponent = largest === 0 ? 0 : -149
    while (largest > 0 && largest >= 2 ** exponent) exponent++
    return Math.min(62 - bits - exponent, 126)
  })
}

function wholeSums(points: Points, labels: Int32Array, k: number): Sums {
  const { x, d } = points
  const powers = powersOf(points)
  const sums = new Array<bigint>(k * d).fill(0n)
  const counts = new Array<number>(k).fill(0)
  labels.forEach((label, i) => {
    counts[label]++
    for (let j = 0; j < d; j++) sums[label * d + j] += whole(x[i * d + j], powers[j])
  })
  return { whole: sums, counts, powers }
}

const wide = (sum: bigint, power: number) => Number(sum) * 2 ** -power

function update(
  points: Points,
  centroids: Float32Array,
  labels: Int32Array,
  { whole: sums, counts: before, powers }: Sums,
  empty: RunConfig['empty'],
  k: number,
): Float32Array {
  const { x, d } = points
  const counts = [...before]
  const after = centroids.slice()
  const taken = new Map<number, number>()
  const empties = clustersInPlay(centroids, k, d).filter((c) => before[c] === 0)
  const queue = empty === 'farthest' && empties.length > 0 ? farthestFirst(points, centroids, labels) : []
  for (const c of empties) {
    if (empty === 'drop') after.fill(Number.NaN, c * d, (c + 1) * d)
    let point = queue.shift()
    while (point !== undefined && counts[labels[point]] < 2) point = queue.shift()
    if (point === undefined) continue
    counts[labels[point]]--
    taken.set(c, point)
    for (let j = 0; j < d; j++) sums[labels[point] * d + j] -= whole(x[point * d + j], powers[j])
  }
  for (let c = 0; c < k; c++) {
    const point = taken.get(c)
    for (let j = 0; j < d; j++) {
      if (point !== undefined) after[c * d + j] = x[point * d + j]
      else if (counts[c] > 0) after[c * d + j] = wide(sums[c * d + j], powers[j]) / counts[c]
    }
  }
  return after
}

/** Rows by falling exact distance to their own centroid, the lowest first among equals. */
function farthestFirst(points: Points, centroids: Float32Array, labels: Int32Array): number[] {
  const squares = Array.from(labels, (label, i) => exactSquare(points, i, centroids, label))
  return [...squares.keys()].sort((a, b) =>
    squares[b] > squares[a] ? 1 : squares[b] < squares[a] ? -1 : a - b,
  )
}

/** 32 partial sums, then by halves. */
function laneSum(values: readonly number[]): number {
  const lanes: number[] = []
  values.forEach((value, at) => (at < 32 ? lanes.push(value) : (lanes[at % 32] += value)))
  for (let step = 16; step >= 1; step /= 2) {
    for (let lane = 0; lane < step && lane + step < lanes.length; lane++) lanes[lane] += lanes[lane + step]
    lanes.length = Math.min(lanes.length, step)
  }
  return lanes[0] ?? 0
}

interface Moments {
  readonly mean: Float64Array
  readonly squares: number
}

function momentsOf({ x, n, d }: Points): Moments {
  const mean = new Float64Array(d)
  for (let first = 0; first < n; first += rowsOfMoments) {
    const block = new Float64Array(d)
    for (let i = first; i < Math.min(n, first + rowsOfMoments); i++) {
      for (let j = 0; j < d; j++) block[j] += x[i * d + j]
    }
    for (let j = 0; j < d; j++) mean[j] += block[j]
  }
  for (let j = 0; j < d; j++) mean[j] /= n
  let squares = 0
  for (let first = 0; first < n; first += rowsOfMoments) {
    let block = 0
    for (let i = first; i < Math.min(n, first + rowsOfMoments); i++) {
      for (let j = 0; j < d; j++) {
        const difference = x[i * d + j] - mean[j]
        block += difference * difference
      }
    }
    squares += block
  }
  return { mean, squares }
}

function inertiaFromSums(
  { mean, squares }: Moments,
  { d }: Points,
  centroids: Float32Array,
  { whole: sums, counts, powers }: Sums,
  k: number,
): number {
  const clusters = clustersInPlay(centroids, k, d).map((c) => {
    if (counts[c] === 0) return 0
    return laneSum(
      Array.from({ length: d }, (_, j) => {
        const centre = centroids[c * d + j] - mean[j]
        return centre * (counts[c] * centre - 2 * (wide(sums[c * d + j], powers[j]) - counts[c] * mean[j]))
      }),
    )
  })
  return Math.max(0, squares + laneSum(clusters))
}

function shiftOf(before: Float32Array, after: Float32Array, k: number, d: number) {
  let coordinate = 0
  const clusters = clustersInPlay(before, k, d).map((c) => {
    if (Number.isNaN(after[c * d])) return 0
    return laneSum(
      Array.from({ length: d }, (_, j) => {
        const change = after[c * d + j] - before[c * d + j]
        coordinate = Math.max(coordinate, Math.abs(change))
        return change * change
      }),
    )
  })
  return { squared: laneSum(clusters), coordinate }
}

function totalOf(points: Points, centroids: Float32Array, labels: Int32Array, k: number): number {
  const totals = new Float64Array(k)
  for (let first = 0; first < points.n; first += rowsOfTotals) {
    const block = new Float64Array(k)
    for (let i = first; i < Math.min(points.n, first + rowsOfTotals); i++) {
      block[labels[i]] += squaredDistance(points, i, centroids, labels[i])
    }
    for (let c = 0; c < k; c++) totals[c] += block[c]
  }
  return totals.reduce((sum, value) => sum + value, 0)
}
