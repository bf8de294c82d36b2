/** Execution times of the contenders of one dataset and k, sorted, beside those of a study. */
import { counts } from '@shared/benchmark/counted'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { publishedMatches } from '@shared/benchmark/published-match'
import { statisticsOf } from '@shared/benchmark/statistics'
import type { PublishedTime } from '@shared/benchmark/suite'
import { hasTimes, rowsOf, type Group } from './groups'

export interface MeasuredTime {
  readonly row: Measurement
  readonly median: number
  readonly min: number
  readonly max: number
  /** Why it does not count, in a word or two; null when it does. */
  readonly fault: 'disagrees' | 'approximate' | 'not verified' | null
}

export interface PublishedRow extends PublishedTime {
  readonly ms: number
  /** The row beside it is WebGPU's in the place of CUDA's. */
  readonly standsIn: boolean
}

export interface TimeRow {
  readonly contender: string
  /** Null: only a study has a time for it. */
  readonly time: MeasuredTime | null
  readonly published: PublishedRow | null
}

function publishedTimes({ suite }: BenchmarkDocument, { dataset, k }: Group) {
  const times = suite.publication?.times ?? []
  return times.flatMap((time) =>
    time.dataset === dataset && time.k === k && time.ms !== null
      ? [{ ...time, ms: time.ms, standsIn: false }]
      : [],
  )
}

/** What the counted runs of a row come to; null without any. */
export function measuredTime(row: Measurement): MeasuredTime | null {
  const { median, min, max } = statisticsOf(row.totalsMs)
  if (!hasTimes(row) || median === null || min === null || max === null) return null
  const doubt = counts(row) ? null : 'not verified'
  const fault = row.state === 'disagrees' || row.state === 'approximate' ? row.state : doubt
  return { row, median, min, max, fault }
}

/** The first of the study's times for which a row stands; of one time some devices may each have a row. */
function publishedOf(
  document: BenchmarkDocument,
  published: readonly PublishedRow[],
  row: Measurement,
): PublishedRow | null {
  for (const one of published) {
    const match = publishedMatches(document, one).find((found) => found.row === row)
    if (match) return { ...one, standsIn: match.standsIn }
  }
  return null
}

/** Fastest first; then what only a study has a time for. */
export function timeRows(document: BenchmarkDocument, group: Group): readonly TimeRow[] {
  const published = publishedTimes(document, group)
  const measured = rowsOf(document, group)
    .flatMap((row) => measuredTime(row) ?? [])
    .sort((a, b) => a.median - b.median)
    .map((time): TimeRow => {
      const { contender } = time.row
      return { contender, time, published: publishedOf(document, published, time.row) }
    })
  const others = published.filter((one) => !measured.some((row) => row.published?.system === one.system))
  return [...measured, ...others.map((one) => ({ contender: one.contender, time: null, published: one }))]
}
