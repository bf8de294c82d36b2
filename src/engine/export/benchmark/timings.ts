import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { counts, precisionThatRan } from '@shared/benchmark/counted'
import { statisticsOf } from '@shared/benchmark/statistics'
import type { TextSink } from '../atomic-file'
import type { CsvForm } from '../csv-text'
import { csvValues, timingsColumns, timingsValues, type TimingsRow } from '../timings-row'

/** What stands for the engine of a contender outside this program. */
export const outsideEngine = 'outside'

/** timings.csv of a comparison: a line for each finished cell, in the order of the plan. */
export async function writeBenchmarkTimings(
  { rows }: BenchmarkDocument,
  sink: TextSink,
  form: CsvForm,
): Promise<void> {
  await sink.write(form.line(timingsColumns))
  for (const row of rows) await sink.write(form.line(csvValues(timingsValues(timingsRow(row)), form)))
}

/**
 * A cell as a line of timings.csv. One that does not count (it disagrees, failed or was skipped) has no repeats and no
 * times: the file has no column to say so, and a wrong result's time must not be read as one; an approximate one has its grade. For the same reason a cell of
 * fewer iterations than were asked for stands with what was measured, never with what it is scaled to.
 */
export function timingsRow(row: Measurement): TimingsRow {
  const { dataset, n, d, k, device, variant, regime } = row
  const counted = counts(row) || row.state === 'approximate'
  const { iterations, totalsMs, phases } = row.scaledFrom ?? row
  return {
    ...{ dataset, n, d, k, engine: row.engine ?? outsideEngine, device, variant, regime },
    iterations: counted ? iterations : 0,
    totals: statisticsOf(counted ? totalsMs : []),
    perIterationMs: counted ? row.perIterationMs : null,
    phases: counted ? phases : null,
    hostDeviceBytesPerIteration: row.hostDeviceBytesPerIteration,
    resultSha256: counted ? (row.resultSha256 ?? null) : null,
    precision: precisionThatRan(row),
  }
}
