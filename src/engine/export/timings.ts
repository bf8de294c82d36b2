import type { RunRecord } from '@shared/run-record'
import { writeAtomically, type AtomicOptions } from './atomic-file'
import { csvLine, csvNumber } from './csv-text'
import { refuseSource } from './refuse-source'

/** What of a run its row needs. */
export type TimedRun = Pick<
  RunRecord,
  'file' | 'n' | 'd' | 'k' | 'engine' | 'device' | 'variant' | 'restarts' | 'timings'
>

/** Columns of timings.csv (spec section 6), in order. */
export const timingsColumns = [
  ...['dataset', 'n', 'd', 'k', 'engine', 'device', 'variant', 'iterations', 'repeats'],
  ...['mean_ms', 'median_ms', 'sd_ms', 'min_ms', 'max_ms', 'per_iteration_ms'],
  ...['load_ms', 'upload_ms', 'init_ms', 'assign_ms', 'update_ms', 'converge_ms', 'iterate_ms'],
  ...['download_ms', 'other_ms', 'host_device_bytes_per_iteration'],
] as const

/**
 * Writes timings.csv, a row for each run in the order given: milliseconds, empty where something was not timed.
 * A run is one repeat, so that its total stands as mean, median, minimum and maximum and there is no standard
 * deviation. Iterations and phases are those of all its restarts.
 * @throws LabError `export.*`, `cancelled`
 */
export async function writeTimings(
  runs: readonly TimedRun[],
  path: string,
  options: AtomicOptions,
): Promise<{ path: string; bytes: number }> {
  for (const source of new Set(runs.map(({ file }) => file.path))) await refuseSource(source, path)
  return writeAtomically(path, options, async (sink) => {
    await sink.write(csvLine(timingsColumns))
    for (const run of runs) await sink.write(csvLine(timingsCells(run)))
  })
}

function timingsCells({ file, n, d, k, engine, device, variant, restarts, timings }: TimedRun): string[] {
  const iterations = restarts.reduce((sum, restart) => sum + restart.iterations, 0)
  const { totalMs, loadMs, uploadMs, initMs, assignMs, updateMs, convergeMs, iterateMs } = timings
  const [mean, median, deviation, least, most] = [totalMs, totalMs, null, totalMs, totalMs]
  const iterating = sumOfKnown([assignMs, updateMs, convergeMs, iterateMs])
  const perIteration = iterating === null || iterations === 0 ? null : iterating / iterations
  const hostDeviceBytes = null
  return [
    file.name,
    ...[n, d, k].map(csvNumber),
    ...[engine, device, variant],
    ...[iterations, 1, mean, median, deviation, least, most, perIteration].map(csvNumber),
    ...[loadMs, uploadMs, initMs, assignMs, updateMs, convergeMs, iterateMs].map(csvNumber),
    ...[timings.downloadMs, timings.otherMs, hostDeviceBytes].map(csvNumber),
  ]
}

/** Null when nothing was timed. */
function sumOfKnown(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : known.reduce((sum, time) => sum + time, 0)
}
