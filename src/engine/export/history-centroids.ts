import type { RunResult } from '@engine/run/types'
import { centroidRow, fileCentroids, keptIterations } from './assignment'
import type { TextSink } from './atomic-file'
import { freeName, type CsvForm } from './csv-text'
import { notRecorded } from './not-recorded'

/**
 * history-centroids.csv: the centroids after each iteration of every restart, in units of the file. A dropped
 * cluster has no line from then on.
 */
export async function writeHistoryCentroids(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
  _onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const { k, d, features } = result.record
  const kept = keptIterations(result)
  if (kept.length === 0) throw notRecorded('centroid history')
  const names = features.map(({ name }) => form.text(name))
  const own = ['run', 'iteration', 'cluster'].map((wanted) => freeName(wanted, names))
  await sink.write(form.line([...own, ...names]))
  for (const { run, iteration, after } of kept) {
    const centroids = await fileCentroids(result, after, signal)
    for (let cluster = 0; cluster < k; cluster++) {
      const row = centroidRow(centroids, cluster, d)
      if (row !== null) await sink.write(form.line([run, iteration, cluster, ...row].map(form.number)))
    }
  }
}
