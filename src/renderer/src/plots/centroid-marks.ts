/** Centroids of a result or of a run under way, as marks on the two shown columns. */
import type { RunRecord } from '@shared/run-record'
import type { CentroidMark } from './scatter-chart'

interface Axes {
  /** Column names as the configuration knows features; null when the axis is not a feature. */
  readonly x: string
  readonly y: string
}

function places(features: readonly string[], axes: Axes): readonly [number, number] | null {
  const x = features.indexOf(axes.x)
  const y = features.indexOf(axes.y)
  return x < 0 || y < 0 ? null : [x, y]
}

/** Empty when an axis is no feature of the result: a centroid has no place there. */
export function marksOfRecord(record: RunRecord, axes: Axes): readonly CentroidMark[] {
  const at = places(
    record.features.map((feature) => feature.name),
    axes,
  )
  if (!at) return []
  return record.clusters.flatMap(({ cluster, centroid }) =>
    centroid === null ? [] : [{ cluster, x: centroid[at[0]] ?? NaN, y: centroid[at[1]] ?? NaN }],
  )
}

/** Marks from (k, d) centroids in units of the file. */
export function marksOfCentroids(
  centroids: Float64Array,
  features: readonly string[],
  axes: Axes,
): readonly CentroidMark[] {
  const at = places(features, axes)
  if (!at) return []
  const d = features.length
  return Array.from({ length: Math.floor(centroids.length / d) }, (_, cluster) => ({
    cluster,
    x: centroids[cluster * d + at[0]] ?? NaN,
    y: centroids[cluster * d + at[1]] ?? NaN,
  })).filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
}
