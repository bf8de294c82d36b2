import type { RunResult } from '@engine/run/run'
import type { TextSink } from './atomic-file'
import { csvLine, csvNumber } from './csv-text'

/** centroids.csv: centroids in units of the file; a dropped cluster has no row, the others keep their indices. */
export async function writeCentroids(result: RunResult, sink: TextSink): Promise<void> {
  const { features, clusters } = result.record
  await sink.write(csvLine(['cluster', 'size', 'inertia', ...features.map((feature) => feature.name)]))
  for (const { cluster, size, inertia, centroid } of clusters) {
    if (centroid === null) continue
    await sink.write(csvLine([cluster, size, inertia, ...centroid].map(csvNumber)))
  }
}
