import { printable, printableJson } from '@shared/printable'
import type { Prediction } from '@shared/prediction'
import { shortNumber, textTable } from './text-table'

/** `predict --json`: exactly one object, on one line. @param output the file that was written, or null */
export function predictJson(prediction: Prediction, output: string | null): string {
  const { file, n, d, k, clusters, features, warnings } = prediction
  return `${printableJson({
    file: { name: file.name, bytes: file.bytes, sha256: file.sha256 },
    ...{ n, d, k },
    dropped_rows: prediction.droppedRows,
    filled_cells: prediction.filledCells,
    left_out_records: prediction.leftOutRecords,
    distance: prediction.distance,
    training_distance: prediction.trainingDistance,
    clusters: clusters.map((one) => ({
      ...{ cluster: one.cluster, size: one.size, share: one.share, training_share: one.trainingShare },
      ...{ distance: one.distance, training_distance: one.trainingDistance },
    })),
    features,
    warnings: warnings.map(({ says }) => says),
    ...(output !== null && { files: [output] }),
  })}\n`
}

/** The same for reading. */
export function predictText(prediction: Prediction, output: string | null): string {
  const { file, n, k, droppedRows, filledCells, clusters, warnings } = prediction
  const left = droppedRows > 0 ? ` (${droppedRows} left out)` : ''
  const filled = filledCells > 0 ? ` (${filledCells} missing cells filled)` : ''
  const rows = clusters.map((one) => [
    ...[String(one.cluster), String(one.size), percent(one.share), percent(one.trainingShare)],
    ...[one.distance, one.trainingDistance].map((value) => (value === null ? '-' : shortNumber(value))),
  ])
  return [
    `${printable(file.name)}: ${n} ${n === 1 ? 'row' : 'rows'}${left}${filled} assigned to ${k} kept centroids\n`,
    '\n',
    textTable(['cluster', 'size', 'share', 'share before', 'distance', 'distance before'], rows),
    '\nDistance: root mean square to the centroid, in units of the scaled data; before: of the clustered data.\n',
    ...warnings.map(({ says }) => `Warning: ${printable(says)}\n`),
    ...(output === null ? [] : [`Written: ${printable(output)}\n`]),
  ].join('')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
