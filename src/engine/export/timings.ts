import { precisionOf } from '@shared/precision'
import { statisticsOf } from '@shared/benchmark/statistics'
import type { TextChoice } from '@shared/text-choice'
import type { RunRecord } from '@shared/run-record'
import { writeAtomically, type AtomicOptions } from './atomic-file'
import { csvForm } from './csv-text'
import { refuseSource } from './refuse-source'
import { csvValues, timingsColumns, timingsValues, type TimingsRow } from './timings-row'

/** What of a run its row needs. */
export type TimedRun = Pick<
  RunRecord,
  | 'file'
  | 'n'
  | 'd'
  | 'k'
  | 'engine'
  | 'device'
  | 'variant'
  | 'regime'
  | 'restarts'
  | 'timings'
  | 'hostDeviceBytesPerIteration'
  | 'precision'
  | 'resultSha256'
>

/**
 * Writes timings.csv, a row for each run in the order given: milliseconds, empty where something was not timed.
 * A run is one repeat, so that its total stands as mean, median, minimum and maximum and there is no standard
 * deviation. Iterations and phases are those of all its restarts.
 * @throws LabError `export.*`, `cancelled`
 */
export async function writeTimings(
  runs: readonly TimedRun[],
  path: string,
  options: AtomicOptions & TextChoice,
): Promise<{ path: string; bytes: number }> {
  for (const source of new Set(runs.map(({ file }) => file.path))) await refuseSource(source, path)
  const form = csvForm(options)
  return writeAtomically(path, options, async (sink) => {
    await sink.write(form.line(timingsColumns))
    for (const run of runs) await sink.write(form.line(csvValues(timingsValues(rowOfRun(run)), form)))
  })
}

function rowOfRun(run: TimedRun): TimingsRow {
  const { file, n, d, k, engine, device, variant, regime, restarts, timings, hostDeviceBytesPerIteration } =
    run
  const iterations = restarts.reduce((sum, restart) => sum + restart.iterations, 0)
  const { assignMs, updateMs, convergeMs, iterateMs } = timings
  const iterating = sumOfKnown([assignMs, updateMs, convergeMs, iterateMs])
  return {
    ...{ dataset: file.name, n, d, k, engine, device, variant, regime, iterations },
    totals: statisticsOf([timings.totalMs]),
    perIterationMs: iterating === null || iterations === 0 ? null : iterating / iterations,
    phases: timings,
    hostDeviceBytesPerIteration,
    resultSha256: run.resultSha256 ?? null,
    precision: precisionOf(run),
  }
}

/** Null when nothing was timed. */
function sumOfKnown(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : known.reduce((sum, time) => sum + time, 0)
}
