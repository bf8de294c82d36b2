import type { Difference, RunVerification, Verdict } from '@shared/verification'
import { labelUnitOf, maxMeanError } from '../benchmark/exactness'
import { precisionOfArray } from '../dataset/coordinates'
import type { RunResult } from '../run/types'
import type { KeptRun } from '../run-file/kept-run'

/** Holds a kept run against the same run made again. Cost O(k d). */
export function compareRuns(kept: KeptRun, now: RunResult): RunVerification {
  const { record } = now
  const keptSha256 = kept.results.result_sha256
  const resultSha256 = record.resultSha256 ?? ''
  const differences = differencesOf(kept, now)
  const isIdentical = keptSha256 === null ? differences.length === 0 : keptSha256 === resultSha256
  const verdict: Verdict = isIdentical ? 'identical' : isWithinBound(kept, now) ? 'within-bound' : 'different'
  const summary = { verdict, keptSha256, resultSha256 }
  if (isIdentical) return { ...summary, differences: [], reasons: [] }
  return { ...summary, differences, reasons: reasonsOf(kept, now) }
}

/** Inertias as far apart as the bound on labels lets them be, centroids as that on means. */
function isWithinBound(
  { results, engine_centroids: rows }: KeptRun,
  { record, centroids }: RunResult,
): boolean {
  const { d, inertia, engine } = record
  const bound = (d + 4) * labelUnitOf(engine, precisionOfArray(centroids))
  const isNear = Math.abs(inertia - results.inertia) <= bound * Math.max(inertia, results.inertia)
  return isNear && sameShape(results, record) && largestDifference(rows, centroids, d) <= maxMeanError
}

function sameShape(a: { n: number; d: number; k: number }, b: { n: number; d: number; k: number }): boolean {
  return a.n === b.n && a.d === b.d && a.k === b.k
}

function differencesOf(kept: KeptRun, { record, centroids }: RunResult): Difference[] {
  const { results } = kept
  const numbers = (['n', 'd', 'k', 'iterations', 'inertia'] as const).map((what) => ({
    what,
    kept: String(results[what]),
    now: String(record[what]),
  }))
  const sizes = record.clusters.filter(({ size }, i) => size !== results.clusters.at(i)?.size).length
  const moved = sameShape(results, record)
    ? largestDifference(kept.engine_centroids, centroids, record.d)
    : Infinity
  return [
    ...numbers.filter((one) => one.kept !== one.now),
    ...(results.stopped === record.stopped
      ? []
      : [{ what: 'stopped', kept: results.stopped, now: record.stopped }]),
    ...(sizes === 0 ? [] : [{ what: 'sizes', kept: `of ${results.k} clusters`, now: `${sizes} differ` }]),
    ...(moved === 0
      ? []
      : [
          {
            what: 'centroids',
            kept: 'as kept',
            now: `up to ${moved.toPrecision(3)} of the data's extent off`,
          },
        ]),
  ]
}

/** In engine units, in which the data reach from -1 to 1; Infinity where only one of the two dropped a cluster. */
function largestDifference(
  rows: readonly (readonly number[] | null)[],
  centroids: ArrayLike<number>,
  d: number,
): number {
  let largest = 0
  for (let at = 0; at < centroids.length; at++) {
    const kept = rows[Math.floor(at / d)]?.[at % d]
    const isDropped = Number.isNaN(centroids[at])
    if (kept === undefined && isDropped) continue
    largest = Math.max(largest, kept === undefined || isDropped ? Infinity : Math.abs(kept - centroids[at]))
  }
  return largest
}

/** What of the two runs was not the same, as far as it may change a result. */
function reasonsOf({ results, machine }: KeptRun, { record }: RunResult): string[] {
  const unless = (same: boolean, sentence: string) => (same ? [] : [sentence])
  const [was, is] = [results.regime ?? 'unknown', record.regime ?? 'unknown']
  const versions = Object.entries(record.machine.versions).flatMap(([name, now]) => {
    const then = machine.versions[name]
    return unless(then === undefined || then === now, `The version of ${name} was ${then} and is ${now}.`)
  })
  return [
    ...(results.deterministic && record.deterministic
      ? []
      : [`The variant ${record.variant} adds up by float atomics, whose order is not fixed.`]),
    ...unless(results.engine === record.engine, `The engine was ${results.engine} and is ${record.engine}.`),
    ...unless(
      results.variant === record.variant,
      `The variant was ${results.variant} and is ${record.variant}.`,
    ),
    ...unless(was === is, `The regime was ${was} and is ${is}.`),
    ...unless(
      results.device_name === record.deviceName,
      `The device was ${results.device_name} and is ${record.deviceName}.`,
    ),
    ...unless(
      machine.cpu === record.machine.cpu,
      `The processor was ${machine.cpu} and is ${record.machine.cpu}.`,
    ),
    ...versions,
  ]
}
