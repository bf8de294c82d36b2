import type { BenchmarkDocument } from '@shared/benchmark/document'
import { speedupsOf, type Speedup } from '@shared/benchmark/speedups'
import type { TextSink } from '../atomic-file'
import type { CsvForm } from '../csv-text'
import { csvValues } from '../timings-row'
import { outsideEngine } from './timings'

/** Columns of speedups.csv (spec section 6), in order. */
export const speedupsColumns = ['dataset', 'n', 'd', 'k', 'baseline', 'engine', 'variant', 'speedup'] as const

/**
 * speedups.csv: a line for each finished cell; `speedup` is empty where it or the baseline does not count. The columns have
 * no device: where two of one engine ran a variant, the variant's cell names it, so that no two lines say the same.
 * Nor have they one for a ratio of times that are scaled: it is said in the same cell.
 */
export async function writeSpeedups(
  document: BenchmarkDocument,
  baseline: string,
  sink: TextSink,
  form: CsvForm,
): Promise<void> {
  await sink.write(form.line(speedupsColumns))
  const all = speedupsOf(document, baseline)
  const devices = devicesOf(all)
  for (const speedup of all) {
    const { engine, variant } = speedup.row
    const several = (devices.get(`${engine}/${variant}`)?.size ?? 0) > 1
    await sink.write(form.line(csvValues(speedupValues(speedup, several), form)))
  }
}

/** The devices that ran each variant of each engine. */
function devicesOf(all: readonly Speedup[]): ReadonlyMap<string, ReadonlySet<string>> {
  const devices = new Map<string, Set<string>>()
  for (const { engine, variant, device } of all.map(({ row }) => row)) {
    const key = `${engine}/${variant}`
    if (device !== null) devices.set(key, (devices.get(key) ?? new Set()).add(device))
  }
  return devices
}

function speedupValues(
  { row, baseline, speedup, scaled }: Speedup,
  namesDevice: boolean,
): readonly (string | number | null)[] {
  const { dataset, n, d, k, engine, variant, device } = row
  const named = namesDevice && device !== null ? `${variant} (${device})` : variant
  const marked = scaled === null || speedup === null ? named : `${named} (scaled ${scaled})`
  return [dataset, n, d, k, baseline, engine ?? outsideEngine, marked, speedup]
}
