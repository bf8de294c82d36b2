import { contenderLook } from '../contender-look'
import { crossoversOf, isLocated, timeAt, type Crossing } from '../crossover'
import { groupText } from '../crossover-table'
import { sizeSymbols } from '../crossover-text'
import type { BenchmarkDocument } from '../document'
import { publishedSeries, type PublishedSeries } from '../published-marks'
import {
  scalingGroups,
  seriesMark,
  type ScalingGroup,
  type ScalingSeries,
  type ScalingSize,
} from '../scaling'
import { logAxis, tickText, type LogAxis } from './log-axis'
import { publishedEntry, publishedMark } from './published'
import {
  aboutWidth,
  drawing,
  element,
  gridInk,
  ink,
  label,
  line,
  mark,
  quietInk,
  type SvgFigure,
} from './svg'
import { t } from '../../locale/translate'

const width = 860
const height = 440
const left = 72
const top = 16
const bottom = height - 52
const labelStep = 15

export const sizeNames: Readonly<Record<ScalingSize, string>> = {
  get n() {
    return t('benchmark-tables.nPoints')
  },
  get d() {
    return t('benchmark-tables.dFeatures')
  },
  get k() {
    return t('benchmark-tables.kClusters')
  },
}

/** Times over the size that varies, both axes logarithmic: a line for each contender, a ring where the fastest changes. */
export function scalingFigures(document: BenchmarkDocument): readonly SvgFigure[] {
  return scalingGroups(document).map((group) => scalingFigure(group, publishedSeries(document, group)))
}

function scalingFigure(group: ScalingGroup, published: readonly PublishedSeries[]): SvgFigure {
  const points = group.series.flatMap((one) => one.points)
  const right = width - Math.max(...group.series.map((one) => aboutWidth(nameOf(one)))) - 28
  const sizes = logAxis(
    points.map(({ size }) => size),
    [left, right],
  )
  const theirs = published.flatMap((one) => one.points.map(({ value }) => value))
  const times = logAxis(
    [...points.flatMap(({ totalsMs }) => totalsMs.filter((ms) => ms > 0)), ...theirs],
    [bottom, top],
  )
  const title = t('benchmark-tables.executionTimeOver', [sizeSymbols[group.varies], groupText(group)])
  return drawing(title, width, height, [
    ...axes(sizes, times, right, sizeNames[group.varies]),
    ...group.series.map((series) => seriesLine(series, sizes, times)),
    ...published.flatMap((one) => publishedMarks(one, sizes, times)),
    ...(published.length === 0 ? [] : [publishedEntry(left + 8, bottom - 12)]),
    ...frontier(group).map((crossing) => ring(crossing, sizes, times)),
    ...endLabels(group.series, sizes, times, right),
  ])
}

function axes(sizes: LogAxis, times: LogAxis, right: number, name: string): readonly string[] {
  return [
    ...times.ticks.map(
      (tick) =>
        line([left, times.at(tick)], [right, times.at(tick)], gridInk) +
        label(left - 8, times.at(tick) + 4, tickText(tick), { anchor: 'end', colour: quietInk }),
    ),
    ...sizes.ticks.map(
      (tick) =>
        line([sizes.at(tick), bottom], [sizes.at(tick), bottom + 4], quietInk) +
        label(sizes.at(tick), bottom + 18, tickText(tick), { anchor: 'middle', colour: quietInk }),
    ),
    line([left, bottom], [right, bottom], quietInk),
    label((left + right) / 2, bottom + 40, name, { anchor: 'middle', colour: quietInk }),
    label(0, top - 4, 'ms', { colour: quietInk }),
  ]
}

function seriesLine({ contender, points }: ScalingSeries, sizes: LogAxis, times: LogAxis): string {
  const look = contenderLook(contender)
  const timed = points.filter(({ medianMs }) => medianMs > 0)
  const path = timed.map(
    ({ size, medianMs }) => `${sizes.at(size).toFixed(2)},${times.at(medianMs).toFixed(2)}`,
  )
  const style = `fill:none;stroke:${look.colour};stroke-width:2;stroke-linejoin:round`
  const dots = timed.map(({ size, medianMs }) => mark(sizes.at(size), times.at(medianMs), look))
  return element('polyline', { points: path.join(' '), style }) + dots.join('')
}

function publishedMarks({ contender, points }: PublishedSeries, sizes: LogAxis, times: LogAxis) {
  return points.map(({ size, value }) =>
    publishedMark(sizes.at(size), times.at(value), contenderLook(contender)),
  )
}

/** Crossings that the repeats place and where no third contender is faster: there the best choice changes. */
export function frontier(group: ScalingGroup): readonly Crossing[] {
  const crossings = crossoversOf(group).flatMap(({ crossings }) => crossings.filter(isLocated))
  return crossings.filter(({ at, ms, below, above }) =>
    group.series.every(({ contender, points }) => {
      const inside = points.length > 1 && points[0].size <= at && at <= points[points.length - 1].size
      if (contender === below || contender === above || !inside) return true
      return timeAt(Math.log(at), points) >= ms
    }),
  )
}

/** A ring at the point and its interval as a line through it. */
function ring({ at, ms, interval }: Crossing, sizes: LogAxis, times: LogAxis): string {
  const [x, y] = [sizes.at(at), times.at(ms)]
  const style = `fill:none;stroke:${ink};stroke-width:1.5`
  const circle = element('circle', { cx: x, cy: y, r: 7, style })
  const named = label(x + 4, y + 24, tickText(Number(at.toPrecision(3))), { size: 11 })
  if (interval === null) return circle + named
  return line([sizes.at(interval.low), y], [sizes.at(interval.high), y], ink, 1.5) + circle + named
}

/** The names at the ends of the lines, pushed apart where they would overlap. */
function endLabels(
  series: readonly ScalingSeries[],
  sizes: LogAxis,
  times: LogAxis,
  right: number,
): readonly string[] {
  const ends = series
    .map((one) => ({ one, last: one.points[one.points.length - 1] }))
    .map(({ one, last }) => ({
      contender: one.contender,
      name: nameOf(one),
      x: sizes.at(last.size),
      y: times.at(last.medianMs),
    }))
    .sort((a, b) => a.y - b.y)
  const lowest = bottom - labelStep * (ends.length - 1)
  let free = top
  return ends.map(({ contender, name, x, y }, at) => {
    const located = Math.min(Math.max(y, free), lowest + labelStep * at)
    free = located + labelStep
    const tie = line([x + 5, y], [right + 12, located], gridInk)
    return tie + label(right + 16, located + 4, name, { colour: contenderLook(contender).colour, bold: true })
  })
}

const nameOf = (series: ScalingSeries): string => `${seriesMark(series)}${series.contender}`
