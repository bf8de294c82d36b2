import type { DistanceOutlier, DistanceOutliers, DistanceSpread } from '@shared/outliers'
import { fileRow } from '../dataset/file-row'
import type { RunResult } from '../run/types'
import { Slices } from '../slices'
import { byCluster } from './labelled-points'
import { profileColumn } from './profile-column'

/** Tukey's outer fence: so many times the distance of the quartiles beyond the third. */
const fenceQuartiles = 3

const blockPoints = 1 << 12

/**
 * (n) Euclidean distance of each point to the centroid of its label, units of the scaled data; NaN where it has none.
 * O(n d), in slices. @throws LabError `cancelled`
 */
export async function centroidDistances(
  { points, labels, centroids }: RunResult,
  signal: AbortSignal,
): Promise<Float32Array> {
  const { x, n, d, exponent } = points
  const slices = new Slices(signal)
  const distances = new Float32Array(n).fill(NaN)
  for (let point = 0; point < n; point++) {
    const label = labels[point]
    if (label >= 0) {
      let square = 0
      for (let j = 0, a = point * d, c = label * d; j < d; j++) square += (x[a + j] - centroids[c + j]) ** 2
      distances[point] = Math.sqrt(square) * 2 ** exponent
    }
    if (point % blockPoints === 0) await slices.next()
  }
  return distances
}

/**
 * Rows that lie beyond the outer fence of their cluster's distances.
 * @param distances (n) of `centroidDistances`
 * @param cluster of which alone rows are listed; null: all
 * @param count most rows that are listed
 */
export async function distanceOutliers(
  { labels, points, dataset, record }: RunResult,
  distances: Float32Array,
  { cluster, count }: { readonly cluster: number | null; readonly count: number },
  signal: AbortSignal,
): Promise<DistanceOutliers> {
  const slices = new Slices(signal)
  const series = { length: distances.length, at: (point: number) => distances[point] }
  const profile = await profileColumn(series, byCluster(labels, record.k), slices)
  const fences = profile.clusters.map(({ quartiles: [q25, , q75] }) => q75 + fenceQuartiles * (q75 - q25))
  const found: number[] = []
  const outliers = new Float64Array(record.k)
  for (let point = 0; point < labels.length; point++) {
    const label = labels[point]
    if (label < 0 || !(distances[point] > fences[label])) continue
    outliers[label]++
    if (cluster === null || cluster === label) found.push(point)
  }
  const excess = (point: number) => distances[point] / fences[labels[point]]
  found.sort((a, b) => excess(b) - excess(a) || a - b)
  const medians = profile.clusters.map(({ quartiles: [, median] }) => median)
  const clusters = fences.map((fence, own): DistanceSpread => ({
    cluster: own,
    median: medians[own],
    fence,
    outliers: outliers[own],
  }))
  const rows = found.slice(0, count).map((point): DistanceOutlier => {
    const row = points.rows?.[point] ?? point
    const [label, distance] = [labels[point], distances[point]]
    const ratio = medians[label] > 0 ? distance / medians[label] : null
    return { row, fileRow: fileRow(dataset, row), cluster: label, distance, ratio }
  })
  return { total: outliers.reduce((sum, own) => sum + own, 0), clusters, rows }
}
