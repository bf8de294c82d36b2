import type { BenchmarkDocument } from '../document'
import { freeSides, nameGap } from '../free-sides'
import { ratioPlots, ratioValues, type RatioPlot, type RatioSeries } from '../ratio-plot'
import { logAxis, tickText, type LogAxis } from './log-axis'
import { headWord } from '../table'
import { publishedMark } from './published'
import { aboutWidth, drawing, gridInk, label, line, mark, quietInk, type SvgFigure } from './svg'
import { t } from '../../locale/translate'

const width = 860
const height = 460
const left = 56
const right = width - 12
const top = 40
const bottom = height - 52
/** Pixels for the pairs of each k, and from the middle of them to either mark. */
const slotWidth = 68
const aside = 12
const nameSize = 11

/** Speed-ups over the words transferred, both axes logarithmic, and beside them what the study prints for each k. */
export function ratioFigures(document: BenchmarkDocument): readonly SvgFigure[] {
  return ratioPlots(document).map(ratioFigure)
}

function ratioFigure(plot: RatioPlot): SvgFigure {
  const { series, title, says } = plot
  const paired = series.filter(({ pairs }) => pairs.length > 0)
  const end = right - slotWidth * paired.length
  const words = logAxis(
    series.flatMap(({ points }) => points.map((point) => point.words)),
    [left + 12, end - 36],
  )
  const ratios = logAxis([1, ...ratioValues(plot)], [bottom, top])
  const middles = paired.map((_, at) => end + slotWidth * (at + 0.5))
  return drawing(`${title}. ${says}`, width, height, [
    ...axes(words, ratios, end),
    ...paired.map(({ ofK }, at) => label(middles[at], bottom + 18, ofK, middle)),
    ...series.flatMap((one) => pointMarks(one, words, ratios)),
    ...pointNames(series, words, ratios, end),
    ...paired.flatMap((one, at) => pairMarks(one, middles[at], ratios)),
    legend(series, paired.length > 0),
  ])
}

const middle = { anchor: 'middle', colour: quietInk } as const

function axes(words: LogAxis, ratios: LogAxis, end: number): readonly string[] {
  return [
    ...ratios.ticks.map(
      (tick) =>
        line([left, ratios.at(tick)], [right, ratios.at(tick)], tick === 1 ? quietInk : gridInk) +
        label(left - 8, ratios.at(tick) + 4, tickText(tick), { anchor: 'end', colour: quietInk }),
    ),
    ...words.ticks.map(
      (tick) =>
        line([words.at(tick), bottom], [words.at(tick), bottom + 4], quietInk) +
        label(words.at(tick), bottom + 18, tickText(tick), middle),
    ),
    line([left, bottom], [right, bottom], quietInk),
    line([end, top], [end, bottom], quietInk),
    label((left + end) / 2, bottom + 40, t('benchmark-tables.wordsOf4BytesThatCross'), middle),
    label(width, bottom + 40, t('benchmark-tables.overTheDataOfEachK'), { ...middle, anchor: 'end' }),
    label(left, top - 8, `${headWord('speed-up')}, ×`, { colour: quietInk }),
  ]
}

function pointMarks({ points, look }: RatioSeries, words: LogAxis, ratios: LogAxis): readonly string[] {
  return points.map((point) => mark(words.at(point.words), ratios.at(point.ratio), look))
}

/** Of the data, as many as stand free. */
function pointNames(
  series: readonly RatioSeries[],
  words: LogAxis,
  ratios: LogAxis,
  end: number,
): readonly string[] {
  const positions = series.flatMap(({ points }) =>
    points.map((point) => ({
      name: point.label,
      ...{
        left: words.at(point.words),
        top: ratios.at(point.ratio),
        width: aboutWidth(point.label, nameSize),
      },
    })),
  )
  const sides = freeSides(positions, [left, end])
  return positions.flatMap((place, at) => {
    const side = sides[at]
    if (side === null) return []
    const [x, anchor] = side === 'right' ? ([nameGap, 'start'] as const) : ([-nameGap, 'end'] as const)
    return [label(place.left + x, place.top + 4, place.name, { anchor, colour: quietInk, size: nameSize })]
  })
}

/** Smallest, mean and largest as measured to the left, as published to the right, each pair joined. */
function pairMarks({ pairs, look }: RatioSeries, x: number, ratios: LogAxis): readonly string[] {
  const positions = pairs.map(({ measured, published }) => ({
    measured: [x - aside, ratios.at(measured)] as const,
    published: [x + aside, ratios.at(published)] as const,
  }))
  const range = (ends: readonly (readonly [number, number])[]) => {
    const [first, last] = [ends[0], ends[ends.length - 1]]
    return line(first, last, look.colour)
  }
  return [
    ...positions.map(({ measured, published }) => line(measured, published, quietInk)),
    range(positions.map(({ measured }) => measured)),
    range(positions.map(({ published }) => published)),
    ...positions.map(({ measured }) => mark(...measured, look)),
    ...positions.map(({ published }) => publishedMark(...published, look)),
  ]
}

function legend(series: readonly RatioSeries[], hasPublished: boolean): string {
  let x = right
  const entry = (name: string, drawn: (at: number) => string) => {
    x -= aboutWidth(name) + 28
    return drawn(x + 6) + label(x + 16, top - 20, name)
  }
  const plain = { colour: quietInk, shape: 'circle' } as const
  const published = hasPublished
    ? entry(headWord('published'), (at) => publishedMark(at, top - 24, plain))
    : ''
  const named = series.toReversed().map(({ name, look }) => entry(name, (at) => mark(at, top - 24, look)))
  return published + named.join('')
}
