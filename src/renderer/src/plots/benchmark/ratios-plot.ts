/** Speed-ups of one system of a study over another against the words transferred, published beside measured. */
import { contenderName } from '@shared/benchmark/contender-look'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import {
  pairsText,
  ratioPlotNote,
  ratioPlotNotes,
  ratioValues,
  type RatioPlot,
  type RatioPoint,
  type RatioSeries,
} from '@shared/benchmark/ratio-plot'
import { medianOf } from '@shared/benchmark/statistics'
import { t } from '@/i18n'
import { formatCount, formatNumber } from '@/text/numbers'
import { shareOf, type FigureAxis, type FigureLayer } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { logAxis, positiveRange } from './axes'
import type { BenchmarkTheme } from './benchmark-theme'
import { fileWidth, type BenchmarkPlot, type PlotBody, type PlotTip } from './plot'
import { pointLabels } from './point-labels'
import { publishedKey, publishedLayers, type PublishedMark } from './published-marks'
import { ratioAxis, type PairMark, type RatioAxis } from './ratio-axis'
import { fullTime } from './words'

const right = 16
const radius = 4

function speedupAxis(plot: RatioPlot, height: number): FigureAxis {
  const { min, max } = positiveRange([1, ...ratioValues(plot)])
  const room = Math.max(1.12, (max / min) ** 0.06)
  return logAxis(t('benchmark.speedUpLogarithmic'), min / room, max * room, height, false)
}

type Position = readonly [number, number]
const gap: Position = [NaN, NaN]

function strokes(name: string, colour: string, positions: readonly Position[]): FigureLayer {
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)]
  return { kind: 'line', name, colour, xs, ys, width: 1, opacity: 1, dots: 0 }
}

/** Between the two of each pair, and from smallest to largest of each k. */
function pairStrokes({ slots }: RatioAxis, theme: BenchmarkTheme): readonly FigureLayer[] {
  const joins = slots.flatMap(({ pairs }) =>
    pairs.flatMap(({ pair, measuredAt, publishedAt }): readonly Position[] => [
      [measuredAt, pair.measured],
      [publishedAt, pair.published],
      gap,
    ]),
  )
  const ranges = slots.flatMap(({ pairs }) => {
    const [one] = pairs
    if (!one) return []
    const { name, look } = one.series
    const positions = [
      ...pairs.map(({ measuredAt, pair }): Position => [measuredAt, pair.measured]),
      gap,
      ...pairs.map(({ publishedAt, pair }): Position => [publishedAt, pair.published]),
    ]
    return [strokes(t('benchmark.smallestToLargest', [name]), look.colour, positions)]
  })
  return [strokes('pairs', theme.quietInk, joins), ...ranges]
}

function filled(marks: readonly PublishedMark[]): FigureLayer {
  return {
    kind: 'points',
    xs: marks.map(({ x }) => x),
    ys: marks.map(({ y }) => y),
    look: marks.map((_, at) => at),
    looks: marks.map(({ look }) => look),
    radius,
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

function bodyOf(plot: RatioPlot, { width, height }: Size, theme: BenchmarkTheme): PlotBody {
  const y = speedupAxis(plot, height)
  const length = width - leftRoom(y) - right
  const axis = ratioAxis(plot, length)
  const { x, end, slots } = axis
  const points = plot.series.flatMap(({ points: own, look }) =>
    own.map(({ words, ratio, label }) => ({ x: words, y: ratio, look, label })),
  )
  const pairs = slots.flatMap((slot) => slot.pairs)
  const marksOf = (at: (mark: PairMark) => Position) =>
    pairs.map((mark): PublishedMark => ({ x: at(mark)[0], y: at(mark)[1], look: mark.series.look }))
  const published = marksOf(({ publishedAt, pair }) => [publishedAt, pair.published])
  const texts = pointLabels(points, { x, y, length, height }, shareOf(x, end) * length, theme)
  const layers: FigureLayer[] = [
    { kind: 'marker', axis: 'y', at: 1, colour: theme.quietInk },
    ...(slots.length === 0 ? [] : [{ kind: 'marker', axis: 'x', at: end, colour: theme.quietInk } as const]),
    ...pairStrokes(axis, theme),
    filled(points),
    filled(marksOf(({ measuredAt, pair }) => [measuredAt, pair.measured])),
    ...publishedLayers(published, theme),
    { kind: 'texts', texts },
  ]
  const key = plot.series.map(({ name, look }) => ({ label: name, ...look }))
  return { x, y, right, layers, key: [...key, ...publishedKey(published, theme)] }
}

function pointTip({ name }: RatioSeries, { label, row, over, ratio, scaled, words }: RatioPoint): PlotTip {
  const time = (one: typeof row) =>
    t('benchmark.median', [contenderName(one.contender), fullTime(medianOf(one.totalsMs))])
  const lines = [
    t('benchmark.wordsAnIteration', [formatCount(words)]),
    time(row),
    time(over),
    ...(scaled === null ? [] : [t('benchmark.scaled', [scaled])]),
  ]
  return { x: words, y: ratio, title: `${label}, ${name}: ${formatNumber(ratio)}×`, lines }
}

function pairTip({ series, pair, measuredAt, publishedAt }: PairMark): PlotTip {
  return {
    x: Math.sqrt(measuredAt * publishedAt),
    y: Math.sqrt(pair.measured * pair.published),
    title: t('benchmark.overItsData', [series.name, pair.what]),
    lines: [
      t('benchmark.measured', [formatNumber(pair.measured)]),
      t('benchmark.published4', [formatNumber(pair.published)]),
    ],
  }
}

function tipsOf(plot: RatioPlot): readonly PlotTip[] {
  const points = plot.series.flatMap((series) => series.points.map((point) => pointTip(series, point)))
  const { slots } = ratioAxis(plot, fileWidth)
  return [...points, ...slots.flatMap(({ pairs }) => pairs.map(pairTip))]
}

/** The plot of one pair of systems; `name`: of its file. */
export function ratiosPlot(document: BenchmarkDocument, plot: RatioPlot, name: string): BenchmarkPlot {
  return {
    ...{ name, title: plot.title, note: ratioPlotNote() },
    summary: `${plot.says}. ${plot.series.map(pairsText).join('; ')}.`,
    remarks: ratioPlotNotes(document, plot),
    tips: tipsOf(plot),
    tipAxis: 'xy',
    height: (width, room = Infinity) => Math.max(240, Math.min(420, width * 0.5, room)),
    body: (size, theme) => bodyOf(plot, size, theme),
  }
}

/** File name of a plot among all of a document. */
export function ratiosName(at: number, all: readonly RatioPlot[]): string {
  return all.length > 1 ? `transfers-${at + 1}` : 'transfers'
}
