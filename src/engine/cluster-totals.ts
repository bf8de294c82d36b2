import { squaredDistance } from '@shared/metrics/distance'
import type { AnyPoints, Coordinates } from './engines/engine'
import { loadCpuAddon } from './engines/native'
import { Slices, orAborted } from './slices'

/** What labels come to against centroids, engine units. */
export interface ClusterTotals {
  /** (k) members. */
  readonly sizes: Float64Array
  /** (k) sum of the squared distances of the members, float64; NaN for members of a dropped cluster. */
  readonly inertias: Float64Array
}

/** As in kernels/common/cluster_totals.cpp: what decides the order of additions (kernels/contract.md). */
const pointsOfBlock = 1 << 14

/** Coordinates below which handing the work over takes longer than the work. */
const coordinatesForAddon = 20_000
const pointsBetweenLooks = 1024

/**
 * Members and inertia of each cluster. O(n d), by the CPU engine's addon on all its threads; in JavaScript, in slices,
 * where it is not there, and for points in float64. The order of additions is that of the rows, in blocks, so all give the same to the last bit.
 * @param labels (n) rows of centroids @param centroids (k, d)
 * @returns null where a label is none of 0..k-1
 * @throws LabError `cancelled`
 */
export async function clusterTotals(
  points: AnyPoints,
  labels: Int32Array,
  centroids: Coordinates,
  signal = new AbortController().signal,
): Promise<ClusterTotals | null> {
  const { addon } = loadCpuAddon()
  const { x, d, part } = points
  const isSmall = points.n * points.d < coordinatesForAddon
  // Widened once, so that a loop does not do it for each point.
  const wide = Float64Array.from(centroids)
  if (part !== undefined && addon?.clusterTotals !== undefined && x instanceof Float32Array) {
    return orAborted(addon.clusterTotals(x, d, labels, wide, false, part.processes.group), signal)
  }
  if (isSmall || addon?.clusterTotals === undefined || x instanceof Float64Array) {
    return totalsInSlices(points, labels, wide, signal)
  }
  return orAborted(addon.clusterTotals(x, d, labels, wide), signal)
}

/** As `clusterTotals`, without the addon. */
export async function totalsInSlices(
  { x, n, d }: AnyPoints,
  labels: Int32Array,
  centroids: Float64Array,
  signal: AbortSignal,
): Promise<ClusterTotals | null> {
  const k = centroids.length / d
  const all = emptyTotals(k)
  const slices = new Slices(signal)
  for (let first = 0; first < n; first += pointsOfBlock) {
    const own = first === 0 ? all : emptyTotals(k)
    const last = Math.min(n, first + pointsOfBlock)
    for (let i = first; i < last; i++) {
      const label = labels[i]
      if (!(label >= 0 && label < k)) return null
      own.sizes[label]++
      own.inertias[label] += squaredDistance(x, i, centroids, label, d)
      if (i % pointsBetweenLooks === 0) await slices.next()
    }
    if (own !== all) add(own, all)
  }
  return all
}

function emptyTotals(k: number): ClusterTotals {
  return { sizes: new Float64Array(k), inertias: new Float64Array(k) }
}

function add(from: ClusterTotals, to: ClusterTotals): void {
  for (let cluster = 0; cluster < to.sizes.length; cluster++) {
    to.sizes[cluster] += from.sizes[cluster]
    to.inertias[cluster] += from.inertias[cluster]
  }
}
