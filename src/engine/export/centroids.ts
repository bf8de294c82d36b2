import type { RunResult } from '@engine/run/run'
import type { TextSink } from './atomic-file'
import { csvLine, csvNumber, type TextCell } from './csv-text'

/** centroids.csv: centroids in units of the file; a dropped cluster has no row, the others keep their indices. */
export async function writeCentroids(
  result: RunResult,
  sink: TextSink,
  _signal: AbortSignal,
  _onProgress: (rows: number) => void,
  text: TextCell,
): Promise<void> {
  const { features, clusters } = result.record
  await sink.write(csvLine(['cluster', 'size', 'inertia', ...features.map(({ name }) => text(name))]))
  for (const { cluster, size, inertia, centroid } of clusters) {
    if (centroid === null) continue
    await sink.write(csvLine([cluster, size, inertia, ...centroid].map(csvNumber)))
  }
}
