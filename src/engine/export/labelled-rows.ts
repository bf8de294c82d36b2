import type { NativeLabelledRows } from '@engine/engines/native'
import { csvCell, type CsvForm } from './csv-text'
import type { LabelledData } from './labelled-data'

/** What the addon's writers of labels.csv read of a result. */
export function labelledRows(
  { dataset, points, labels, centroids, distances }: LabelledData,
  { clusterNames, separator, text }: CsvForm,
): NativeLabelledRows {
  const cellOf = (cluster: number) => csvCell(text(clusterNames?.[cluster] ?? ''), separator)
  const k = centroids.length / points.d
  // The root of the square of a distance is that distance: it is one from 0 along a single feature.
  const measured =
    distances === undefined
      ? { x: points.x, d: points.d, centroids: Float64Array.from(centroids) }
      : { x: distances, d: 1, centroids: new Float64Array(k) }
  return {
    ...{ ...measured, labels },
    names: clusterNames ? Array.from({ length: k }, (_, cluster) => cellOf(cluster)) : null,
    ...{ scale: 2 ** points.exponent, leftOut: dataset.leftOutRecords, pointRows: points.rows },
  }
}
