/** Execution time over N, k or d, both axes logarithmic, with the points at which one contender overtakes another. */
import { contenderLook, contenderName } from '@shared/benchmark/contender-look'
import { hasUnlikeWork, type PairCrossings } from '@shared/benchmark/crossover'
import {
  crossoverSentences,
  scaledPointNotes,
  sizeSymbols,
  unlikeWorkNote,
} from '@shared/benchmark/crossover-text'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { publishedSeries, type PublishedSeries } from '@shared/benchmark/published-marks'
import { standInMark, standInNote } from '@shared/benchmark/published-match'
import {
  seriesMark,
  type ScalingGroup,
  type ScalingSeries,
  type ScalingSize,
} from '@shared/benchmark/scaling'
import { scaledMark } from '@shared/benchmark/scaled'
import { scaleNotes } from '@shared/benchmark/table-notes'
import { statisticsOf } from '@shared/benchmark/statistics'
import { isFaster, isLikeWork, undecided } from '@shared/benchmark/verdict'
import { t } from '@/i18n'
import { formatCount } from '@/text/numbers'
import type { FigureLayer } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { crossingLayers, crossingTexts } from './crossing-marks'
import { logAxis, positiveRange } from './axes'
import type { BenchmarkTheme } from './benchmark-theme'
import { endLabels, labelRoom, labelsFit } from './end-labels'
import type { BenchmarkPlot, PlotBody, PlotTip } from './plot'
import { publishedKey, publishedLayers, type PublishedMark } from './published-marks'
import { growthOf, markedCrossings, sweepWords, type Growth } from './scaling'
import type { Sweep } from './statistics'
import { fullTime, shortTime } from './words'

const axisWords: Readonly<Record<ScalingSize, string>> = {
  get n() {
    return t('benchmark.pointsNLogarithmic')
  },
  d: 'features d, logarithmic',
  get k() {
    return t('benchmark.clustersKLogarithmic')
  },
}

/** Bands of so many contenders let one another through. */
const bandOpacity = (count: number): number => Math.min(0.18, 1 / count)

function bandOf({ contender, points }: ScalingSeries, count: number): FigureLayer {
  const spread = points.map(({ totalsMs, medianMs }) => {
    const { min, max } = statisticsOf(totalsMs)
    return { low: min ?? medianMs, high: max ?? medianMs }
  })
  return {
    kind: 'band',
    xs: points.map(({ size }) => size),
    low: spread.map(({ low }) => low),
    high: spread.map(({ high }) => high),
    colour: contenderLook(contender).colour,
    opacity: bandOpacity(count),
  }
}

function lineOf({ contender, points }: ScalingSeries): readonly FigureLayer[] {
  const { colour, shape } = contenderLook(contender)
  const xs = points.map(({ size }) => size)
  const ys = points.map(({ medianMs }) => medianMs)
  return [
    {
      kind: 'line',
      name: `${seriesMark({ points })}${contenderName(contender)}`,
      colour,
      xs,
      ys,
      width: 1.5,
      opacity: 1,
      dots: 0,
    },
    { kind: 'points', xs, ys, look: points.map(() => 0), looks: [{ colour, shape }], radius: 3.5 },
  ]
}

/** Every line above every band, so that none changes another's colour. */
function seriesLayers(series: readonly ScalingSeries[]): readonly FigureLayer[] {
  return [...series.map((one) => bandOf(one, series.length)), ...series.flatMap(lineOf)]
}

interface Size {
  readonly width: number
  readonly height: number
}

/** A thin line through what is published of a contender, under the hollow marks. */
function publishedLines(published: readonly PublishedSeries[]): readonly FigureLayer[] {
  return published.map(({ contender, points }) => ({
    ...{ kind: 'line', name: t('benchmark.published2', [contenderName(contender)]) },
    ...{ colour: contenderLook(contender).colour, width: 1, opacity: 0.5, dots: 0 },
    xs: points.map(({ size }) => size),
    ys: points.map(({ value }) => value),
  }))
}

const publishedMarks = (published: readonly PublishedSeries[]): readonly PublishedMark[] =>
  published.flatMap(({ contender, points }) =>
    points.map(({ size, value }) => ({ x: size, y: value, look: contenderLook(contender) })),
  )

function bodyOf(
  sweep: Sweep,
  published: readonly PublishedSeries[],
  { width, height }: Size,
  theme: BenchmarkTheme,
): PlotBody {
  const { series, varies } = sweep.group
  const labelled = labelsFit(series.length, height, width)
  const right = labelled ? labelRoom(series.map((one) => `${seriesMark(one)}${one.contender}`)) : 16
  const theirs = publishedMarks(published)
  const times = positiveRange([
    ...series.flatMap(({ points }) => points.flatMap(({ totalsMs }) => totalsMs)),
    ...theirs.map(({ y }) => y),
  ])
  const sizes = positiveRange(series.flatMap(({ points }) => points.map(({ size }) => size)))
  const room = Math.max(1.1, (times.max / times.min) ** 0.06)
  const y = logAxis(
    t('benchmark.executionTimeMsLogarithmic'),
    times.min / room,
    times.max * room,
    height,
    false,
  )
  const aside = (sizes.max / sizes.min) ** 0.03
  const x = logAxis(axisWords[varies], sizes.min / aside, sizes.max * aside, width - leftRoom(y) - right)
  const crossings = markedCrossings(sweep)
  const ends = series.map(({ contender, points }) => ({
    contender: `${seriesMark({ points })}${contenderName(contender)}`,
    ink: theme.ink,
    mark: contenderLook(contender),
    y: points.at(-1)?.medianMs ?? NaN,
  }))
  const names = labelled ? endLabels(ends, x, y, height) : []
  const key = series.map(({ contender, points }) => ({
    label: `${seriesMark({ points })}${contenderName(contender)}`,
    ...contenderLook(contender),
  }))
  const length = width - leftRoom(y) - right
  const texts = [...crossingTexts(crossings, varies, { x, y, length, height }, theme), ...names]
  const layers: FigureLayer[] = [
    ...publishedLines(published),
    ...seriesLayers(series),
    ...publishedLayers(theirs, theme),
    ...crossingLayers(crossings, theme),
    { kind: 'texts', texts },
  ]
  return { x, y, right, layers, key: [...(labelled ? [] : key), ...publishedKey(theirs, theme)] }
}

function publishedTips({ varies }: ScalingGroup, published: readonly PublishedSeries[]): readonly PlotTip[] {
  return published.flatMap(({ contender, points }) =>
    points.map(({ size, value, system, how, standsIn }) => ({
      ...{
        x: size,
        y: value,
        title: t('benchmark.published3', [system, sizeSymbols[varies], formatCount(size)]),
      },
      lines: [
        `${fullTime(value)}, ${how}`,
        t('benchmark.beside', [
          contenderName(contender),
          standsIn ? t('benchmark.which', [standInMark()]) : '',
        ]),
      ],
    })),
  )
}

function tipsOf({ series, varies }: ScalingGroup): readonly PlotTip[] {
  return series.flatMap(({ contender, points }) => {
    const growth = growthOf(points)
    const grows = growth === null ? [] : [t('benchmark.theTimeGrowsAs', [growthWords(growth, varies)])]
    return points.map(({ size, medianMs, totalsMs, scaled }): PlotTip => {
      const { min, max, count } = statisticsOf(totalsMs)
      const spread =
        min === null || max === null ? [] : [t('benchmark.minimumMaximum', [fullTime(min), fullTime(max)])]
      return {
        x: size,
        y: medianMs,
        title: `${contenderName(contender)}, ${sizeSymbols[varies]} = ${formatCount(size)}`,
        lines: [
          ...(scaled === undefined ? [] : [t('benchmark.scaled', [scaled])]),
          t('benchmark.medianOfRuns', [fullTime(medianMs), count]),
          ...spread,
          ...grows,
        ],
      }
    })
  })
}

/** With what the contenders are called in the place of their keys. */
function inWords({ first, second, ahead, crossings, ...pair }: PairCrossings): PairCrossings {
  return {
    ...pair,
    ...{ first: contenderName(first), second: contenderName(second) },
    ahead: ahead === null ? null : contenderName(ahead),
    crossings: crossings.map((crossing) => ({
      ...crossing,
      above: contenderName(crossing.above),
      below: contenderName(crossing.below),
    })),
  }
}

/** Every crossover in a sentence, those marked first; one that says so where there is none at all. */
export function crossoverRemarks(sweep: Sweep): readonly string[] {
  const { group, pairs } = sweep
  const marked = markedCrossings(sweep)
  const crossed = pairs.flatMap((pair) => pair.crossings.map((crossing) => ({ pair, crossing })))
  crossed.sort((a, b) => Number(marked.includes(b.crossing)) - Number(marked.includes(a.crossing)))
  const sentences = crossed.flatMap(({ pair, crossing }) =>
    crossoverSentences(inWords({ ...pair, crossings: [crossing] }), group.varies),
  )
  const [only] = pairs
  const left = hasUnlikeWork(group) ? [unlikeWorkNote()] : []
  if (!only || sentences.length > 0) return [...new Set(sentences), ...left]
  if (pairs.length === 1) return [...crossoverSentences(inWords(only), group.varies), ...left]
  const none = t('benchmark.noContenderOvertakesAnotherInThe', [sizeSymbols[group.varies]])
  return [none, ...left]
}

/** `N^1.02 (0.98 to 1.06)` */
function growthWords({ exponent, low, high }: Growth, varies: ScalingGroup['varies']): string {
  return t('benchmark.to', [sizeSymbols[varies], exponent.toFixed(2), low.toFixed(2), high.toFixed(2)])
}

function summaryOf({ series, varies }: ScalingGroup): string {
  const last = series.flatMap(({ contender, points }) => {
    const point = points.at(-1)
    return point ? [{ contender, point, growth: growthOf(points) }] : []
  })
  if (last.length === 0) return ''
  const largest = Math.max(...last.map(({ point }) => point.size))
  const there = last.filter(({ point }) => point.size === largest)
  const best = there.reduce((a, b) => (b.point.medianMs < a.point.medianMs ? b : a))
  const grows = best.growth === null ? '' : t('benchmark.growingAs', [growthWords(best.growth, varies)])
  const at = t('benchmark.at', [sizeSymbols[varies], formatCount(largest)])
  const mark = best.point.scaled === undefined ? '' : scaledMark
  const time = `${mark}${shortTime(best.point.medianMs)}${grows}`
  const name = contenderName(best.contender)
  if (there.length === 1) return t('benchmark.takes', [at, name, time])
  if (there.some(({ point }) => !isLikeWork(point, best.point))) {
    return t('benchmark.hasTheLeastMedianNumbersOf', [at, name, time])
  }
  const ahead = there.every((one) => one === best || isFaster(best.point.totalsMs, one.point.totalsMs))
  return ahead
    ? t('benchmark.isFastestWith', [at, name, time])
    : t('benchmark.theFastestContenderIsHasThe', [at, undecided(), name, time])
}

/** What must be said of the study's times. */
function publishedRemarks(document: BenchmarkDocument, published: readonly PublishedSeries[]) {
  if (published.length === 0) return []
  const standsIn = published.some(({ points }) => points.some((point) => point.standsIn))
  return [...(standsIn ? [standInNote()] : []), ...scaleNotes(document.suite)]
}

/** The plot of one sweep of a document. */
export function scalingPlot(document: BenchmarkDocument, sweep: Sweep, name: string): BenchmarkPlot {
  const { group } = sweep
  const published = publishedSeries(document, group)
  const hollow = published.length === 0 ? '' : t('benchmark.hollowAsTheStudyPublishedIt')
  return {
    name,
    title: t('benchmark.executionTimeOver', [sweepWords(group)]),
    note: t('benchmark.mediansTheBandReachesFromMinimum', [hollow]),
    summary: summaryOf(group),
    remarks: [
      ...scaledPointNotes(group, contenderName),
      ...publishedRemarks(document, published),
      ...crossoverRemarks(sweep),
    ],
    tips: [...tipsOf(group), ...publishedTips(group, published)],
    tipAxis: 'xy',
    height: (width, room = Infinity) => Math.max(220, Math.min(400, width * 0.5, room)),
    body: (size, theme) => bodyOf(sweep, published, size, theme),
  }
}

/** File name of a sweep among all of a document. */
export function sweepName(sweep: Sweep, all: readonly Sweep[]): string {
  const alike = all.filter(({ group }) => group.varies === sweep.group.varies)
  const at = alike.findIndex(({ group }) => group.id === sweep.group.id)
  return alike.length > 1 ? `scaling-${sweep.group.varies}-${at + 1}` : `scaling-${sweep.group.varies}`
}
