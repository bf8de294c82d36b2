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
  readonly fault: 'disagrees' | 'not verified' | null
}

export interface TimeRow {
  readonly contender: string
  /** Null: only a study has a time for it. */
  readonly time: MeasuredTime | null
  readonly published: (PublishedTime & { readonly ms: number }) | null
}

function publishedTimes({ suite }: BenchmarkDocument, { dataset, k }: Group) {
  const times = suite.publication?.times ?? []
  return times.flatMap((time) =>
    time.dataset === dataset && time.k === k && time.ms !== null ? [{ ...time, ms: time.ms }] : [],
  )
}

/** What the counted runs of a row come to; null without any. */
export function measuredTime(row: Measurement): MeasuredTime | null {
  const { median, min, max } = statisticsOf(row.totalsMs)
  if (!hasTimes(row) || median === null || min === null || max === null) return null
  const doubt = counts(row) ? null : 'not verified'
  return { row, median, min, max, fault: row.state === 'disagrees' ? 'disagrees' : doubt }
}

function stands(document: BenchmarkDocument, published: PublishedTime, row: Measurement): boolean {
  return publishedMatches(document, published).some((match) => match.row === row)
}

/** Fastest first; then what only a study has a time for. */
export function timeRows(document: BenchmarkDocument, group: Group): readonly TimeRow[] {
  const published = publishedTimes(document, group)
  const measured = rowsOf(document, group)
    .flatMap((row) => measuredTime(row) ?? [])
    .sort((a, b) => a.median - b.median)
    .map((time): TimeRow => {
      const { contender } = time.row
      return {
        contender,
        time,
        published: published.find((one) => stands(document, one, time.row)) ?? null,
      }
    })
  const others = published.filter((one) => !measured.some((row) => row.published === one))
  return [...measured, ...others.map((one) => ({ contender: one.contender, time: null, published: one }))]
}
