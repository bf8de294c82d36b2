/** What is said of the speed-ups of a plot: tips, how to read it, what it shows, and why others have none. */
import { afterColon } from '@shared/benchmark/after-colon'
import { contenderName } from '@shared/benchmark/contender-look'
import { rowAt } from '@shared/benchmark/counted'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import type { PublishedNumber } from '@shared/benchmark/published-marks'
import { standInMark, standInNote } from '@shared/benchmark/published-match'
import { scaledMark } from '@shared/benchmark/scaled'
import { undecidedBecause } from '@shared/benchmark/speedup-table'
import type { Speedup } from '@shared/benchmark/speedups'
import { statisticsOf } from '@shared/benchmark/statistics'
import { scaleNotes } from '@shared/benchmark/table-notes'
import { undecided } from '@shared/benchmark/verdict'
import { isOtherWork, refusedNotes } from '@shared/benchmark/work-notes'
import { t } from '@/i18n'
import { formatNumber, plural } from '@/text/numbers'
import { groupWords, sameGroup, type Group } from './groups'
import type { PlotTip } from './plot'
import type { CountedSpeedup, SpeedupGroup, SpeedupRow } from './speedup-rows'
import { fullTime, timesWord } from './words'

/** `2.8×`, with `~` before one that the repeats do not decide. */
export function ratioWords(found: CountedSpeedup): string {
  const mark = found.scaled === null ? '' : scaledMark
  return `${mark}${undecidedBecause(found) === null ? '' : '~'}${timesWord(found.speedup)}×`
}

export function tipOf(speedupRow: SpeedupRow, several: boolean): PlotTip {
  const { row, speedup, interval, baseline, published, scaled, at } = speedupRow
  const { median } = statisticsOf(row.totalsMs)
  const open = undecidedBecause(speedupRow)
  return {
    x: speedup,
    y: at,
    title: contenderName(row.contender),
    lines: [
      ...(several ? [groupWords(row)] : []),
      t('benchmark.timesAsFastAs', [formatNumber(speedup), contenderName(baseline)]),
      ...(interval
        ? [
            t('benchmark.intervalTo', [
              Math.round(interval.level * 100),
              formatNumber(interval.low),
              formatNumber(interval.high),
            ]),
          ]
        : []),
      ...(open === null ? [] : [open]),
      ...(scaled === null ? [] : [t('benchmark.scaled', [scaled])]),
      ...(median === null ? [] : [t('benchmark.median2', [fullTime(median)])]),
      ...published.map(publishedLine),
    ],
  }
}

/** `CUDA 1, published: 15.7 times, ratio of the printed times (WebGPU stands in for CUDA)`. */
function publishedLine({ system, value, how, standsIn }: PublishedNumber): string {
  const mark = standsIn ? ` (WebGPU ${standInMark()})` : ''
  return t('benchmark.publishedTimes', [system, formatNumber(value), how, mark])
}

export function publishedRemarks(
  document: BenchmarkDocument,
  rows: readonly SpeedupRow[],
): readonly string[] {
  const published = rows.flatMap((row) => row.published)
  if (published.length === 0) return []
  const how = [...new Set(published.map((one) => one.how))].join('; ')
  const standsIn = published.some((one) => one.standsIn) ? [standInNote()] : []
  return [t('benchmark.publishedSpeedUps', [how]), ...standsIn, ...scaleNotes(document.suite)]
}

export function noteOf(rows: readonly CountedSpeedup[]): string {
  const open = rows.some((row) => undecidedBecause(row) !== null) ? ` ~: ${undecided()}.` : ''
  const hollow = rows.some(({ published }) => published.length > 0)
    ? t('benchmark.hollowAsTheStudyPublishedIt')
    : ''
  const scaled = rows.some((row) => row.scaled !== null) ? t('benchmark.scaledFromFewerIterations') : ''
  return t('benchmark.ratioOfMediansWithItsInterval', [open, scaled, hollow])
}

export function summaryOf(groups: readonly SpeedupGroup[], baseline: string): string {
  const said = groups.slice(0, 3).flatMap(({ group, speedups }) => {
    const [best] = speedups
    if (!best) return []
    const where = groups.length > 1 ? t('benchmark.onWithK', [group.dataset, group.k]) : ''
    if (undecidedBecause(best) !== null)
      return [
        t('benchmark.over2', [
          contenderName(best.row.contender),
          contenderName(baseline),
          where,
          undecided(),
        ]),
      ]
    return [
      t('benchmark.isTimesAsFastAs', [
        contenderName(best.row.contender),
        timesWord(best.speedup),
        contenderName(baseline),
        where,
      ]),
    ]
  })
  const rest = groups.length > 3 ? t('benchmark.below', [plural(groups.length - 3, 'more case')]) : ''
  return `${said.join('; ')}${rest}.`
}

/** Why others have none: one sentence each, each reason once. */
export function remarksOf(
  document: BenchmarkDocument,
  baseline: string,
  groups: readonly Group[],
  speedups: readonly Speedup[],
): readonly string[] {
  const isShown = (row: Measurement): boolean => groups.some((group) => sameGroup(row, group))
  // Of other work one sentence for each contender tells.
  const without = speedups.filter(
    ({ row, speedup }) =>
      speedup === null && !isOtherWork(row, rowAt(document, row, baseline)) && isShown(row),
  )
  const reasons = without.map(({ row, reason }) =>
    t('benchmark.hasNoSpeedUp', [contenderName(row.contender), afterColon(reason ?? '')]),
  )
  return [
    ...refusedNotes({ rows: document.rows.filter(isShown) }, baseline, contenderName),
    ...new Set(reasons),
  ]
}
