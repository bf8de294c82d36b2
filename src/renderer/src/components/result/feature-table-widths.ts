/** Room of the columns of the turned cluster table. */
import type { RunRecord } from '@shared/run-record'
import type { ClusterLooks } from '@/plots/palette'
import { columnFormat, formatCount } from '@/text/numbers'
import { coordinateFormat, headOf } from './centroid-cells'
import { longestOf } from './cluster-columns'
import { wholeColumns } from '../whole-columns'
import type { Measure } from './text-width'

/** Pixels: the least and the most of the features' names, and what stands beside their text. */
const names = { least: 72, most: 176, beside: 10 } as const
/** Pixels of a cluster: the most that a name makes of it, what stands beside a number, and the buttons in its head. */
const roomy = { most: 128, beside: 11, buttons: 59, font: 1 } as const
/** The same in smaller letters; `.cluster-table.compact` sets gap and font so too. */
const narrow = { most: 96, beside: 6, buttons: 32, font: 12 / 13 } as const
type Room = typeof roomy | typeof narrow
/** Of the frame, what names take at most where not all clusters are in sight. */
const maxShare = 0.42
/** Clusters that have to be in sight together, or all where there are fewer. */
const minClusters = 3
/** Texts that are measured: thousands of them are of one kind. */
const maxMeasured = 200

export interface FeatureTableWidths {
  /** Smaller letters, as the names of the features would be cut beside three clusters. */
  readonly compact: boolean
  /** The names of the features stand above their numbers, as there is no room beside them at all. */
  readonly stacked: boolean
  /** Pixels of the names, where they have a column. */
  readonly names: number
  /** Pixels of each cluster, by its index: a name widens its own column alone. */
  readonly clusters: readonly number[]
}

/** @param frame pixels of what the table is seen through */
export function featureTableWidths(
  record: RunRecord,
  looks: ClusterLooks,
  measure: Measure,
  frame: number,
): FeatureTableWidths {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(measure))
  const count = record.clusters.length
  const cells = widest(cellsOf(record))
  const headOfCluster = (text: string, { font, buttons }: Room): number =>
    Math.ceil(measure(text) * font) + buttons
  const columnIn = (room: Room): number =>
    Math.max(Math.ceil(cells * room.font) + room.beside, headOfCluster(String(count - 1), room))
  const name = Math.ceil(widest(record.features.slice(0, maxMeasured).map(headOf))) + names.beside
  const together = Math.min(minClusters, count)
  const roomFor = (room: Room): number => frame - together * columnIn(room)
  const compact = roomFor(roomy) < Math.min(name, names.most)
  const layout = compact ? narrow : roomy
  const stacked = compact && roomFor(narrow) < names.least
  const each = columnIn(layout)
  const room = Math.max(frame - each * count, Math.min(maxShare * frame, roomFor(layout)))
  const named = stacked ? 0 : Math.min(names.most, Math.max(names.least, Math.min(name, room)))
  const column = wholeColumns(frame - named, each, count)
  // A name takes what those that have to be in sight together leave.
  const spare = Math.max(0, Math.floor((frame - named) / Math.max(1, together)) - column)
  return {
    compact,
    stacked,
    names: named,
    clusters: record.clusters.map(({ cluster }) => {
      const head = headOfCluster(looks.get(cluster)?.name ?? String(cluster), layout)
      return Math.max(column, Math.min(layout.most, column + spare, head))
    }),
  }
}

/** The longest numbers of the table. */
function cellsOf(record: RunRecord): readonly string[] {
  const clusters = record.clusters.slice(0, maxMeasured)
  const inertia = columnFormat(clusters.map((row) => row.inertia))
  return [
    longestOf(clusters.map((row) => inertia(row.inertia))),
    longestOf(clusters.map(({ size }) => formatCount(size))),
    ...record.features.slice(0, maxMeasured).map((_, j) => {
      const format = coordinateFormat(record, j)
      return longestOf(clusters.map(({ centroid }) => format(centroid?.[j] ?? 0)))
    }),
  ]
}
