import { decimals } from '../sheet'
import type { Chart, ChartSeries, Look } from './chart'
import type { Cells, SeriesLayout } from './plot-data'
import { escaped, tag, val } from './xml'

/** English Metric Units: 12 700 to the point. */
const width = { line: 19_050, range: 15_875 } as const
/** Points. */
const markerSize = 7
const crossingSize = 9
const ink = '#1d2125'

type Kind = Chart['kind']

/** One series with what its cells hold, so that a viewer that does not read cells draws it too. */
export function seriesXml(layouts: SeriesLayout, index: number, kind: Kind): string {
  const { series, name, keys, values } = layouts
  const numbered = val('c:idx', index) + val('c:order', index)
  const named = tag('c:tx', {}, texts(name))
  const looks = kind === 'bars' ? barLook(series) : lineLook(series)
  const labels = kind === 'dots' ? labelsXml(series.marks === 'published' ? 'l' : 'r') : ''
  const keyed = kind === 'lines' ? tag('c:xVal', {}, numbers(keys)) : tag('c:cat', {}, texts(keys))
  const valued = tag(kind === 'lines' ? 'c:yVal' : 'c:val', {}, numbers(values))
  const end = kind === 'bars' ? '' : val('c:smooth', 0)
  return tag(
    'c:ser',
    {},
    ...[numbered, named, looks, labels, rangesXml(layouts), keyed, valued, end].filter((part) => part !== ''),
  )
}

function barLook({ look }: ChartSeries): string {
  return tag('c:spPr', {}, fill(look)) + val('c:invertIfNegative', 0)
}

function lineLook({ look, points, marks }: ChartSeries): string {
  if (look === 'crossing') return noLine + markerXml('x', crossingSize, tag('a:noFill'), ink)
  if (marks === 'published') return noLine + publishedXml(look === 'own' ? ink : look.colour)
  if (look !== 'own') return (marks === undefined ? lineXml(look) : noLine) + shapeXml(look)
  const own = points.flatMap((point, at) =>
    point.look === undefined
      ? []
      : [tag('c:dPt', {}, val('c:idx', at), shapeXml(point.look), val('c:bubble3D', 0), noLine)],
  )
  // Not a shape of the points: LibreOffice takes one that is alike for the series' own, with its colour.
  return noLine + markerXml('dash', markerSize, solid(ink), ink) + own.join('')
}

/** Not hollow as elsewhere: LibreOffice fills every shape. */
function publishedXml(colour: string): string {
  return markerXml('plus', crossingSize, tag('a:noFill'), colour)
}

const solid = (colour: string): string => tag('a:solidFill', {}, val('a:srgbClr', colour.replace('#', '')))
const noLine = tag('c:spPr', {}, tag('a:ln', { w: width.line }, tag('a:noFill')))

function fill(look: ChartSeries['look']): string {
  return typeof look === 'string' ? solid(ink) : solid(look.colour)
}

function lineXml({ colour }: Look): string {
  return tag('c:spPr', {}, tag('a:ln', { w: width.line, cap: 'rnd' }, solid(colour), tag('a:round')))
}

function shapeXml({ colour, shape }: Look): string {
  if (shape === null) return tag('c:marker', {}, val('c:symbol', 'none'))
  return markerXml(shape, markerSize, solid(colour), colour)
}

function markerXml(symbol: string, size: number, filled: string, edge: string): string {
  const look = tag('c:spPr', {}, filled, tag('a:ln', { w: 9525 }, solid(edge)))
  return tag('c:marker', {}, val('c:symbol', symbol), val('c:size', size), look)
}

/** The value beside each marker. */
const labelsXml = (side: 'l' | 'r'): string =>
  tag(
    'c:dLbls',
    {},
    tag('c:numFmt', { formatCode: decimals, sourceLinked: 0 }),
    tag('c:spPr', {}, tag('a:noFill'), tag('a:ln', {}, tag('a:noFill'))),
    tag(
      'c:txPr',
      {},
      tag('a:bodyPr'),
      tag('a:p', {}, tag('a:pPr', {}, tag('a:defRPr', { sz: 800 })), tag('a:endParaRPr', { lang: 'en-US' })),
    ),
    val('c:dLblPos', side),
    val('c:showLegendKey', 0),
    val('c:showVal', 1),
    ...['c:showCatName', 'c:showSerName', 'c:showPercent', 'c:showBubbleSize'].map((what) => val(what, 0)),
  )

/** Least to most, or an interval, as a line through each point. */
function rangesXml({ reach, series }: SeriesLayout): string {
  if (reach === null) return ''
  return tag(
    'c:errBars',
    {},
    val('c:errDir', series.look === 'crossing' ? 'x' : 'y'),
    val('c:errBarType', 'both'),
    val('c:errValType', 'cust'),
    val('c:noEndCap', 1),
    tag('c:plus', {}, numbers(reach.above)),
    tag('c:minus', {}, numbers(reach.below)),
    tag('c:spPr', {}, tag('a:ln', { w: width.range }, solid(ink))),
  )
}

function numbers({ at, values }: Cells<string | number | null>): string {
  const kept = tag(
    'c:numCache',
    {},
    tag('c:formatCode', {}, 'General'),
    val('c:ptCount', values.length),
    ...pointsOf(values),
  )
  return tag('c:numRef', {}, tag('c:f', {}, escaped(at)), kept)
}

function texts({ at, values }: Cells<string | number>): string {
  const kept = tag('c:strCache', {}, val('c:ptCount', values.length), ...pointsOf(values))
  return tag('c:strRef', {}, tag('c:f', {}, escaped(at)), kept)
}

function pointsOf(values: readonly (string | number | null)[]): readonly string[] {
  return values.flatMap((value, idx) =>
    value === null ? [] : [tag('c:pt', { idx }, tag('c:v', {}, escaped(String(value))))],
  )
}
