import type { NativeLabelledRows } from '@engine/engines/native'
import type { LabelledData } from './labelled-data'

/** What the addon's writers of labels.csv read of a result. */
export function labelledRows({ dataset, points, labels, centroids }: LabelledData): NativeLabelledRows {
  return {
    ...{ x: points.x, d: points.d, labels, centroids: Float64Array.from(centroids) },
    ...{ scale: 2 ** points.exponent, leftOut: dataset.leftOutRecords, pointRows: points.rows },
  }
}
