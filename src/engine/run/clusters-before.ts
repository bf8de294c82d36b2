import { spreadRows } from '@shared/spread-rows'
import { putByRow } from '../dataset/by-row'
import { emptyLike } from '../dataset/coordinates'
import type { RunFeature } from '../dataset/one-hot'
import type { PreparedPoints } from '../dataset/prepared'
import type { Coordinates } from '../engines/engine'
import type { RunResult } from './types'

/**
 * The clusters of another run of the same dataset as centroids of these points: the means of the same rows in new units, or of other
 * features, whose means are those of evenly spread rows where there are very many. Of rows that the other run left out nothing is
 * asked. O(k d).
 * @returns (k, d) engine units; null where a cluster has none
 */
export function clustersBefore(
  before: Pick<RunResult, 'record' | 'points' | 'labels' | 'dataset'>,
  points: PreparedPoints,
  features: readonly Pick<RunFeature, 'index' | 'category'>[],
): Coordinates | null {
  const { k, clusters, features: known } = before.record
  // Rows of unit length have means that do not follow from those of others.
  const isLinear = points.preparation.scaling !== 'unit-length'
  const from = features.map((feature) => (isLinear ? known.findIndex((own) => isSame(own, feature)) : -1))
  const inFile = Float64Array.from({ length: k * from.length }, (_, at) => {
    const j = from[at % from.length]
    return j < 0 ? 0 : (clusters[Math.floor(at / from.length)]?.centroid?.[j] ?? NaN)
  })
  const centroids = isLinear ? points.toEngine(inFile, k) : emptyLike(points.x, inFile.length)
  const others = [...from.keys()].filter((j) => from[j] < 0)
  if (others.length > 0) putMeans(points, labelsOf(before, points), others, centroids)
  return centroids.every(Number.isFinite) ? centroids : null
}

/** Points whose means are taken: a start need be no nearer than theirs. */
const maxMeanPoints = 1 << 16

type Named = Pick<RunFeature, 'index' | 'category'>

function isSame(a: Named, b: Named): boolean {
  return a.index === b.index && a.category === b.category
}

/** By point of the new run; -1 where the other run left the row out. */
function labelsOf(
  { labels, points, dataset }: Pick<RunResult, 'points' | 'labels' | 'dataset'>,
  now: PreparedPoints,
): Int32Array {
  if (points.rows === now.rows) return labels
  const byRow = putByRow(labels, points.rows, 0, new Int32Array(dataset.rows).fill(-1))
  if (now.rows === null) return byRow
  const own = new Int32Array(now.rows.length)
  for (let point = 0; point < own.length; point++) own[point] = byRow[now.rows[point]]
  return own
}

/** Writes the means of some features over the points of each label; NaN where there is no point. */
function putMeans(
  { x, d }: PreparedPoints,
  labels: Int32Array,
  features: readonly number[],
  centroids: Coordinates,
): void {
  const k = centroids.length / d
  const counts = new Float64Array(k)
  const sums = new Float64Array(k * d)
  for (const point of spreadRows(labels.length, maxMeanPoints)) {
    const label = labels[point]
    if (label < 0) continue
    counts[label]++
    for (const j of features) sums[label * d + j] += x[point * d + j]
  }
  for (const j of features) {
    for (let cluster = 0; cluster < k; cluster++)
      centroids[cluster * d + j] = sums[cluster * d + j] / counts[cluster]
  }
}
