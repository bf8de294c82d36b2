/** What a study published, as second marks in the plots: each beside the row that stands for its system. */
import { counts } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { publishedMatches } from './published-match'
import { speedupOfTimes } from './published-speedups'
import type { ScalingGroup } from './scaling'
import type { PublishedTime } from './suite'
import { t } from '../locale/translate'

/** A published number beside a row. */
export interface PublishedNumber {
  /** In the study's words, e.g. `CUDA 1`. */
  readonly system: string
  /** Milliseconds, or times as fast. */
  readonly value: number
  /** How the study comes to it, e.g. `as printed`. */
  readonly how: string
  /** The row is WebGPU's in the place of CUDA's. */
  readonly standsIn: boolean
}

export type PublishedNumbers = ReadonlyMap<Measurement, readonly PublishedNumber[]>

type Found = readonly (PublishedNumber & { readonly row: Measurement })[]

/** Of the rows that count, in milliseconds. */
export function publishedTimes(document: BenchmarkDocument): PublishedNumbers {
  const times = document.suite.publication?.times ?? []
  return byRow(times.flatMap((time) => beside(document, time, time.ms, t('benchmark-tables.asPrinted'))))
}

/**
 * Of the rows that count, times as fast as the baseline: as printed where that is the study's own, else the ratio of two
 * printed times. Ratios over the data of a k belong to no row: they stand in the plot over words transferred alone.
 */
export function publishedSpeedups(document: BenchmarkDocument, baseline: string): PublishedNumbers {
  const { suite } = document
  const times = suite.publication?.times ?? []
  const ratioOf = speedupOfTimes(times, baseline)
  const ofTimes = times.flatMap((time) =>
    baseline === suite.baseline && time.speedup !== null
      ? beside(document, time, time.speedup, t('benchmark-tables.asPrinted'))
      : beside(document, time, ratioOf(time), t('benchmark-tables.ratioOfThePrintedTimes')),
  )
  return byRow(ofTimes)
}

function beside(document: BenchmarkDocument, time: PublishedTime, value: number | null, how: string): Found {
  if (value === null || !(value > 0)) return []
  return publishedMatches(document, time)
    .filter(({ row }) => counts(row))
    .map(({ row, standsIn }) => ({ row, standsIn, system: time.system, value, how }))
}

function byRow(found: Found): PublishedNumbers {
  const numbers = new Map<Measurement, readonly PublishedNumber[]>()
  for (const { row, ...number } of found) numbers.set(row, [...(numbers.get(row) ?? []), number])
  return numbers
}

/** A published time in a plot over sizes, at the size of the row that it stands beside. */
export interface PublishedPoint extends PublishedNumber {
  readonly size: number
}

export interface PublishedSeries {
  readonly contender: string
  /** Ascending by size; at least one. */
  readonly points: readonly PublishedPoint[]
}

/** The study's times that belong to the lines of a sweep. */
export function publishedSeries(
  document: BenchmarkDocument,
  group: ScalingGroup,
): readonly PublishedSeries[] {
  const times = [...publishedTimes(document)]
  return group.series.flatMap(({ contender, points }) => {
    const found = points.flatMap(({ size, datasets }) => {
      const there = times.filter(
        ([row]) =>
          row.contender === contender && datasets.includes(row.dataset) && row.k === (group.k ?? size),
      )
      return there.flatMap(([, numbers]) => numbers.map((number) => ({ ...number, size })))
    })
    return found.length === 0 ? [] : [{ contender, points: found }]
  })
}
