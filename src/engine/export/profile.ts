import { profilesOf } from '../quality/profiles'
import type { RunResult } from '../run/types'
import type { TextSink } from './atomic-file'
import type { CsvForm } from './csv-text'

const statistics = ['mean', 'sd', 'min', 'q25', 'median', 'q75', 'max', 'z'] as const

/** profile.csv: a line for each cluster and feature, units of the file; a cluster without rows has none. */
export async function writeProfile(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
  _onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const { features, clusters, d } = result.record
  const profile = (await profilesOf(result, signal)).clusters
  await sink.write(form.line(['cluster', 'feature', ...statistics]))
  for (const { cluster, size } of clusters) {
    if (size === 0) continue
    for (const [j, { name }] of features.entries()) {
      const numbers = statistics.map((statistic) => form.number(profile[statistic][cluster * d + j]))
      await sink.write(form.line([form.number(cluster), form.text(name), ...numbers]))
    }
  }
}
