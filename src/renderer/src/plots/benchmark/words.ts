/** Words that several plots of a comparison have in common. */
import { contenderName } from '@shared/benchmark/contender-look'
import type { Measurement } from '@shared/benchmark/document'
import { fromMade } from '@shared/benchmark/scaled'
import { statisticsOf } from '@shared/benchmark/statistics'
import { localNumber } from '@shared/locale/translate'
import { t } from '@/i18n'
import { formatCount, formatDuration, formatNumber, plural } from '@/text/numbers'
import { engineWords } from '@/text/words'

/** A time with more digits than an axis shows, in milliseconds. */
export const fullTime = (ms: number): string => `${formatNumber(ms)} ms`

/** `1.23 ms` up to `12 min 3 s`. */
export const shortTime = formatDuration

/** How often one time goes into another: `3.4`, `120`. */
export function timesWord(ratio: number): string {
  if (ratio >= 1000) return formatCount(Number(ratio.toPrecision(3)))
  return ratio >= 100 ? ratio.toFixed(0) : localNumber(ratio.toPrecision(ratio >= 10 ? 3 : 2))
}

function ranOn({ engine, deviceName, variant }: Measurement): string {
  return engine === null
    ? t('benchmark.outsideThisProgram', [variant])
    : `${engineWords[engine]}, ${deviceName ?? t('benchmark.deviceUnknown')}`
}

/** Said below a plot with scaled times, else nothing. */
export const scaledHint = (rows: readonly Pick<Measurement, 'scaledFrom'>[]): string =>
  rows.some(({ scaledFrom }) => scaledFrom !== undefined) ? t('benchmark.scaledFromFewerIterations') : ''

/** The statistics of a cell in full, one line each. */
export function timeLines(row: Measurement): readonly string[] {
  const { mean, median, deviation, min, max, count } = statisticsOf(row.totalsMs)
  if (median === null || min === null || max === null || mean === null) return []
  const spread = deviation === null ? '' : t('benchmark.standardDeviation', [fullTime(deviation)])
  const from = fromMade(row)
  return [
    ...(from === null ? [] : [t('benchmark.scaled', [from])]),
    t('benchmark.medianOf', [fullTime(median), plural(count, 'run')]),
    t('benchmark.minimumMaximum', [fullTime(min), fullTime(max)]),
    t('benchmark.mean', [fullTime(mean), spread]),
    `${plural(row.iterations, 'iteration')}, ${row.deterministic ? t('benchmark.deterministic') : t('benchmark.notDeterministic')}`,
    ranOn(row),
    ...(row.state === 'approximate' ? [t('benchmark.approximateTheTimeCountsAgainstNo')] : []),
    ...(row.state === 'disagrees' ? [t('benchmark.disagreesWithTheReferenceTheTime')] : []),
  ]
}

/** Label of a row; one that disagrees says so in words and by a cross. */
export function rowLabel(contender: string, disagrees: boolean): string {
  return disagrees ? `✕ ${contenderName(contender)}` : contenderName(contender)
}
