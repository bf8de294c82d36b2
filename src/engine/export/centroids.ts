import type { RunResult } from '@engine/run/types'
import type { TextSink } from './atomic-file'
import { freeName, type CsvForm } from './csv-text'

/**
 * centroids.csv: centroids in units of the file; a dropped cluster has no row, the others keep their indices. Features
 * keep their names, by which the file is read again as initial centroids: of ours a taken one gets a suffix.
 */
export async function writeCentroids(
  result: RunResult,
  sink: TextSink,
  _signal: AbortSignal,
  _onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const { features, clusters } = result.record
  const names = features.map(({ name }) => form.text(name))
  const own = ['cluster', 'size', 'inertia'].map((wanted) => freeName(wanted, names))
  await sink.write(form.line([...own, ...names]))
  for (const { cluster, size, inertia, centroid } of clusters) {
    if (centroid === null) continue
    await sink.write(form.line([cluster, size, inertia, ...centroid].map(form.number)))
  }
}
