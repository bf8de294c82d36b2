import type { BenchmarkDocument } from '@shared/benchmark/document'
import { speedupsOf, type Speedup } from '@shared/benchmark/speedups'
import type { TextSink } from '../atomic-file'
import type { CsvForm } from '../csv-text'
import { csvValues } from '../timings-row'
import { outsideEngine } from './timings'

/** Columns of speedups.csv (spec section 6), in order. */
export const speedupsColumns = ['dataset', 'n', 'd', 'k', 'baseline', 'engine', 'variant', 'speedup'] as const

/** speedups.csv: a line for each finished cell; `speedup` is empty where it or the baseline does not count. */
export async function writeSpeedups(
  document: BenchmarkDocument,
  baseline: string,
  sink: TextSink,
  form: CsvForm,
): Promise<void> {
  await sink.write(form.line(speedupsColumns))
  for (const speedup of speedupsOf(document, baseline)) {
    await sink.write(form.line(csvValues(speedupValues(speedup), form)))
  }
}

function speedupValues({ row, baseline, speedup }: Speedup): readonly (string | number | null)[] {
  const { dataset, n, d, k, engine, variant } = row
  return [dataset, n, d, k, baseline, engine ?? outsideEngine, variant, speedup]
}
