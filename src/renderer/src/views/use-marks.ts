/** Where the centroids stand on the two axes: of the run under way, of the iteration shown, or of the result. */
import type { Projection } from '@shared/projection'
import type { RunConfig } from '@shared/run-config'
import { computed } from 'vue'
import type { AxisRef, PlotColumn } from '@/plots/plot-column'
import type { CentroidMark } from '@/plots/scatter-chart'
import { useDatasetStore } from '@/stores/dataset'
import { usePointsStore } from '@/stores/points'
import { useProjectionStore } from '@/stores/projection'
import { useRunStore } from '@/stores/run'
import { useTimelineStore } from '@/stores/timeline'

type Coordinate = (centroid: ArrayLike<number>, start: number) => number

const finite = ({ x, y }: CentroidMark): boolean => Number.isFinite(x) && Number.isFinite(y)

/** Reads the coordinate on an axis out of a centroid in units of the file; null where it has none. */
function coordinateOf(
  axis: AxisRef,
  features: readonly number[],
  projection: Projection | null,
): Coordinate | null {
  if (axis.kind === 'column') {
    const at = features.indexOf(axis.column)
    return at < 0 ? null : (centroid, start) => centroid[start + at] ?? NaN
  }
  const map = axis.kind === 'component' ? projection?.map : null
  if (axis.kind !== 'component' || !map || map.offset.length !== features.length) return null
  const from = axis.component * features.length
  return (centroid, start) =>
    map.offset.reduce(
      (sum, offset, j) => sum + (map.weights[from + j] ?? 0) * ((centroid[start + j] ?? NaN) - offset),
      0,
    )
}

export function useMarks() {
  const dataset = useDatasetStore()
  const points = usePointsStore()
  const projection = useProjectionStore()
  const run = useRunStore()
  const timeline = useTimelineStore()

  function marksOf(centroids: ArrayLike<number>, features: readonly number[], clusters: readonly number[]) {
    const d = features.length
    const axisOf = (column: PlotColumn | null): Coordinate | null =>
      column && coordinateOf(column.axis, features, projection.fitted)
    const [x, y] = [axisOf(points.x), axisOf(points.y)]
    if (!x || !y) return []
    return clusters
      .map((cluster, i): CentroidMark => ({ cluster, x: x(centroids, i * d), y: y(centroids, i * d) }))
      .filter(finite)
  }

  /** A column of texts is there as often as it has different ones. */
  function indicesOf({ features, oneHot = [] }: Pick<RunConfig, 'features' | 'oneHot'>): readonly number[] {
    const columns = dataset.summary?.columns ?? []
    const wanted = features ?? columns.filter(({ proposed }) => proposed).map(({ name }) => name)
    const named = (name: string) => columns.find((column) => column.name === name)
    return [
      ...wanted.map((name) => named(name)?.index ?? -1),
      ...oneHot.flatMap((name) => Array<number>(named(name)?.categories ?? 0).fill(named(name)?.index ?? -1)),
    ]
  }

  return computed<readonly CentroidMark[]>(() => {
    const { live, result } = run
    if (live) {
      if (!live.centroids) return []
      const clusters = Array.from({ length: live.config.k }, (_, cluster) => cluster)
      return marksOf(live.centroids, indicesOf(live.config), clusters)
    }
    if (!result) return []
    const coordinates = timeline.centroids
    if (coordinates) {
      return Array.from({ length: coordinates.length / 2 }, (_, cluster) => ({
        cluster,
        x: coordinates[2 * cluster] ?? NaN,
        y: coordinates[2 * cluster + 1] ?? NaN,
      })).filter(finite)
    }
    // Of an iteration whose centroids are still under way nothing is drawn: the final ones would be a lie.
    if (!timeline.atResult) return []
    const { clusters, features } = result.record
    const present = clusters.filter(({ centroid }) => centroid !== null)
    return marksOf(
      present.flatMap(({ centroid }) => centroid ?? []),
      features.map(({ index }) => index),
      present.map(({ cluster }) => cluster),
    )
  })
}
