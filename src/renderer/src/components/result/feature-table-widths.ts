/** Room of the columns of the turned cluster table. */
import type { RunRecord } from '@shared/run-record'
import type { ClusterLooks } from '@/plots/palette'
import { columnFormat, formatCount } from '@/text/numbers'
import { coordinateFormat, headOf } from './centroid-cells'
import { wholeColumns } from '../whole-columns'
import type { Measure } from './text-width'

/** Pixels: the least and the most of a column, and what stands beside its text. */
const names = { least: 72, most: 176, beside: 10 } as const
const cluster = { least: 62, most: 128, beside: 11, buttons: 59 } as const
/** Of the frame, what names take at most where not all clusters are in sight: one or two have to be. */
const maxShare = 0.42
/** Texts that are measured: thousands of them are of one kind. */
const maxMeasured = 200

const longest = (texts: readonly string[]): string =>
  texts.reduce((long, text) => (text.length > long.length ? text : long), '')

/** Pixels of the features' names, and of each cluster. @param frame pixels of what the table is seen through */
export function featureTableWidths(
  record: RunRecord,
  looks: ClusterLooks,
  measure: Measure,
  frame: number,
): { readonly names: number; readonly cluster: number } {
  const features = record.features.slice(0, maxMeasured)
  const clusters = record.clusters.slice(0, maxMeasured)
  const inertia = columnFormat(clusters.map((row) => row.inertia))
  const cells = [
    longest(clusters.map((row) => inertia(row.inertia))),
    longest(clusters.map(({ size }) => formatCount(size))),
    ...features.map((_, j) => {
      const format = coordinateFormat(record, j)
      return longest(clusters.map(({ centroid }) => format(centroid?.[j] ?? 0)))
    }),
  ]
  const widest = (texts: readonly string[]): number => Math.ceil(Math.max(0, ...texts.map(measure)))
  const given = longest(clusters.map(({ cluster: at }) => looks.get(at)?.name ?? String(at)))
  const head = measure(given) + cluster.buttons
  const name = widest(features.map(headOf)) + names.beside
  const each = Math.min(cluster.most, Math.max(cluster.least, widest(cells) + cluster.beside, head))
  const beside = frame - each * record.clusters.length
  const room = beside >= names.least + names.beside ? beside : maxShare * frame
  const named = Math.min(names.most, Math.max(names.least, Math.min(name, room)))
  return { names: named, cluster: wholeColumns(frame - named, each, record.clusters.length) }
}
