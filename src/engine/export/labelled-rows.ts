import type { NativeLabelledRows } from '@engine/engines/native'
import { csvCell, type CsvForm } from './csv-text'
import type { LabelledData } from './labelled-data'

/** What the addon's writers of labels.csv read of a result. */
export function labelledRows(
  { dataset, points, labels, centroids }: LabelledData,
  { clusterNames, separator, text }: CsvForm,
): NativeLabelledRows {
  const cellOf = (cluster: number) => csvCell(text(clusterNames?.[cluster] ?? ''), separator)
  const k = centroids.length / points.d
  return {
    ...{ x: points.x, d: points.d, labels, centroids: Float64Array.from(centroids) },
    names: clusterNames ? Array.from({ length: k }, (_, cluster) => cellOf(cluster)) : null,
    ...{ scale: 2 ** points.exponent, leftOut: dataset.leftOutRecords, pointRows: points.rows },
  }
}
