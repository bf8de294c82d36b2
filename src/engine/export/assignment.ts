import type { Coordinates } from '../engines/engine'
import type { RunResult } from '@engine/run/types'
import { Slices } from '@engine/slices'
import { NearestFinder } from './nearest'

/** Multiply-adds between two looks at the clock. */
const blockWork = 1 << 20

/** An iteration whose centroids were kept; (k, d) engine units. */
export interface KeptIteration {
  readonly run: number
  /** 1-based. */
  readonly iteration: number
  /** What it assigned against; null for the first iteration of a restart that was not kept. */
  readonly before: Coordinates | null
  readonly after: Coordinates
}

/** The iterations of every restart whose centroids were kept, in order. */
export function keptIterations({ record, centroidHistory, initialCentroids }: RunResult): KeptIteration[] {
  return centroidHistory.map((after, i) => {
    const { run, iteration } = record.history[i]
    const began = run === record.bestRun ? initialCentroids : null
    return { run, iteration, before: iteration === 1 ? began : centroidHistory[i - 1], after }
  })
}

/** Centroids of the best restart: the initial ones, then those after each iteration that was kept. */
export function bestCentroids(result: RunResult): readonly Coordinates[] {
  const best = keptIterations(result).filter(({ run }) => run === result.record.bestRun)
  return [result.initialCentroids, ...best.map(({ after }) => after)]
}

/**
 * (n) index of the nearest centroid of each point, computed in float64, ties to the lowest index. Cost O(n k d),
 * in slices. @throws LabError `cancelled`
 */
export async function nearestLabels(
  { points, record }: RunResult,
  centroids: Coordinates,
  signal: AbortSignal,
): Promise<Int32Array> {
  const { x, n, d } = points
  const labels = new Int32Array(n)
  const finder = new NearestFinder(centroids, record.k, d)
  const block = Math.max(1, Math.floor(blockWork / (record.k * d)))
  const slices = new Slices(signal)
  for (let start = 0; start < n; start += block) {
    finder.assign(x, labels, start, Math.min(n, start + block))
    await slices.next()
  }
  return labels
}

/**
 * (k, d) engine units to units of the file, NaN rows for those that are no centroid. Where the scaling cannot be
 * undone (`unit-length`) a centroid is the mean of the rows nearest to it, as in the record of a run.
 */
export async function fileCentroids(
  result: RunResult,
  centroids: Coordinates,
  signal: AbortSignal,
): Promise<Float64Array> {
  const { points, record } = result
  const undone = points.toFile(centroids, record.k)
  return (
    undone ?? (await points.memberMeans(await nearestLabels(result, centroids, signal), record.k, signal))
  )
}

/** Row `cluster` of (k, d), or null when it is no centroid (a dropped cluster). */
export function centroidRow(centroids: ArrayLike<number>, cluster: number, d: number): number[] | null {
  const row = Array.from({ length: d }, (_, j) => centroids[cluster * d + j])
  return row.every(Number.isFinite) ? row : null
}
