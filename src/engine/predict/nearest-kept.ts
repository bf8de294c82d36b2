import { coordinates } from '../dataset/coordinates'
import type { Coordinates } from '../engines/engine'
import { cpuEngine } from '../engines/cpu'
import { plainSession } from '../engines/session-config'
import { NearestFinder } from '../export/nearest'
import { Slices, orAborted } from '../slices'
import type { KeptRun } from '../run-file/kept-run'
import type { KeptPoints } from './kept-points'

/** Multiply-adds between two looks at the clock. */
const blockWork = 1 << 20

/** Beyond this a squared distance in float64 no longer tells centroids apart, and scores do. */
const farAway = 2 ** 20

/** (k, d) engine units of the clustering; NaN rows for dropped clusters. */
export function keptCentroids({ features, results, engine_centroids: rows }: KeptRun): Coordinates {
  const d = features.length
  const all = coordinates(results.precision, results.k * d).fill(Number.NaN)
  rows.forEach((row, cluster) => all.set(row ?? [], cluster * d))
  return all
}

/**
 * (n) cluster of each point, ties to the lowest index. Points in the range of those that were clustered go through the
 * CPU engine's `fused`; others, and all where the run was in float64, are few or resolved in float64 here.
 * @throws LabError `cancelled`
 */
export async function nearestKept(
  points: KeptPoints,
  centroids: Coordinates,
  signal: AbortSignal,
): Promise<Int32Array> {
  const live = liveRows(centroids, points.d)
  const own = float64Rows(centroids, live, points.d)
  const { available } = await cpuEngine.availability()
  const isForEngine = available && points.x instanceof Float32Array && points.n >= live.length
  const labels = isForEngine ? await byEngine(points, own, signal) : new Int32Array(points.n)
  const rest = isForEngine ? farPoints(points) : Uint32Array.from(labels, (_, point) => point)
  await inFloat64(points, own, rest, labels, signal)
  return live.length * points.d === centroids.length ? labels : labels.map((label) => live[label])
}

/** Dropped clusters own no point: the engine does not see them. */
function liveRows(centroids: Coordinates, d: number): readonly number[] {
  const all = Array.from({ length: centroids.length / d }, (_, cluster) => cluster)
  return all.filter((cluster) => !Number.isNaN(centroids[cluster * d]))
}

function float64Rows(centroids: Coordinates, rows: readonly number[], d: number): Float64Array {
  return Float64Array.from({ length: rows.length * d }, (_, at) => {
    return centroids[rows[Math.floor(at / d)] * d + (at % d)]
  })
}

/** Labels of far points mean nothing. @param centroids (k, d) */
async function byEngine(
  points: KeptPoints,
  centroids: Float64Array,
  signal: AbortSignal,
): Promise<Int32Array> {
  const k = centroids.length / points.d
  const session = await cpuEngine.open(inRange(points), plainSession('fused', { k, iterations: 1 }), null)
  try {
    await session.start(Float32Array.from(centroids))
    return (await orAborted(session.read(), signal)).labels
  } finally {
    await session.close()
  }
}

/** Engines take coordinates below 1: points beyond are put at the origin. */
function inRange(points: KeptPoints): KeptPoints {
  const far = farPoints(points)
  if (far.length === 0) return points
  const { d } = points
  const x = points.x.slice()
  far.forEach((point) => x.fill(0, point * d, (point + 1) * d))
  return { ...points, x, maxAbs: new Float32Array(d).fill(1) }
}

/** Ascending. */
function farPoints({ x, n, d, maxAbs }: KeptPoints): Uint32Array {
  if (maxAbs.every((value) => value < 1)) return new Uint32Array()
  const found: number[] = []
  for (let point = 0; point < n; point++) if (largest(x, point, d) >= 1) found.push(point)
  return Uint32Array.from(found)
}

function largest(x: Coordinates, point: number, d: number): number {
  let most = 0
  for (let at = point * d; at < (point + 1) * d; at++) most = Math.max(most, Math.abs(x[at]))
  return most
}

/** Writes the labels of some points. @param centroids (k, d) */
async function inFloat64(
  { x, d }: KeptPoints,
  centroids: Float64Array,
  some: Uint32Array,
  labels: Int32Array,
  signal: AbortSignal,
): Promise<void> {
  const finder = new NearestFinder(centroids, centroids.length / d, d)
  const slices = new Slices(signal)
  const block = Math.max(1, Math.floor(blockWork / centroids.length))
  for (let start = 0; start < some.length; start += block) {
    for (const point of some.subarray(start, start + block)) {
      if (largest(x, point, d) < farAway) finder.assign(x, labels, point, point + 1)
      else labels[point] = highestScore(x.subarray(point * d, (point + 1) * d), centroids)
    }
    await slices.next()
  }
}

/** The nearest centroid is that of the largest x.c - |c|²/2, which keeps its digits however far the point lies. */
function highestScore(point: Coordinates, centroids: Float64Array): number {
  const d = point.length
  let [best, nearest] = [-Infinity, 0]
  for (let cluster = 0; cluster * d < centroids.length; cluster++) {
    let score = 0
    for (let j = 0; j < d; j++) {
      const coordinate = centroids[cluster * d + j]
      score += coordinate * (point[j] - coordinate / 2)
    }
    if (score > best) [best, nearest] = [score, cluster]
  }
  return nearest
}
