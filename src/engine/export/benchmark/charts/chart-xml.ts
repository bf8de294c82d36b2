import type { Chart, ChartAxis } from './chart'
import type { ChartLayout } from './plot-data'
import { seriesXml } from './series-xml'
import { declaration, escaped, tag, val } from './xml'

/** Any numbers that differ. */
const axisIds = { keys: 1001, values: 1002 } as const
const grid = '#d9dde1'
const quiet = '#5a626b'
/** Hundredths of a point. */
const fontSize = { title: 1200, axis: 900 } as const
const roomAtEnds = 1.1
/** Sixty thousandths of a degree. */
const slanted = -2_700_000

export const chartNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/chart'
const mainNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/main'

/** A chart as a part of a workbook (DrawingML, ECMA-376 part 1, section 21.2), with the values that its cells hold. */
export function chartXml({ chart, series }: ChartLayout): string {
  const drawn = series.map((one, index) => seriesXml(one, index, chart.kind))
  const ids = val('c:axId', axisIds.keys) + val('c:axId', axisIds.values)
  const plot = tag('c:plotArea', {}, tag('c:layout'), bodyOf(chart, drawn.join(''), ids), axesOf(chart))
  const isNamed = chart.kind !== 'dots' || series.length > 1
  const legend = isNamed ? legendAt(chart.kind === 'lines' ? 'r' : 't') : ''
  const title = titleXml(chart.title, fontSize.title)
  const shown = [title, val('c:autoTitleDeleted', 0), plot, legend, val('c:plotVisOnly', 1)]
  return (
    declaration +
    tag(
      'c:chartSpace',
      { 'xmlns:c': chartNamespace, 'xmlns:a': mainNamespace },
      val('c:roundedCorners', 0),
      tag('c:chart', {}, ...shown, val('c:dispBlanksAs', 'gap')),
      tag('c:spPr', {}, solid('#ffffff'), tag('a:ln', {}, tag('a:noFill'))),
    )
  )
}

function bodyOf({ kind }: Chart, series: string, ids: string): string {
  const varied = val('c:varyColors', 0)
  if (kind === 'lines')
    return tag('c:scatterChart', {}, val('c:scatterStyle', 'lineMarker'), varied, series, ids)
  if (kind === 'dots')
    return tag('c:lineChart', {}, val('c:grouping', 'standard'), varied, series, val('c:marker', 1), ids)
  const stacked = val('c:barDir', 'bar') + val('c:grouping', 'percentStacked')
  const room = val('c:gapWidth', 60) + val('c:overlap', 100)
  return tag('c:barChart', {}, stacked, varied, series, room, ids)
}

/** Names down the side and shares along the bottom for bars; otherwise names or sizes along the bottom. */
function axesOf(chart: Chart): string {
  const { kind } = chart
  const points = chart.series.flatMap((one) => one.points)
  const [along, up] = kind === 'bars' ? (['l', 'b'] as const) : (['b', 'l'] as const)
  const keys = {
    axis: chart.keys,
    other: chart.values,
    id: axisIds.keys,
    crosses: axisIds.values,
    side: along,
    isDown: kind === 'bars',
    end: 'min',
    reach: points.flatMap(({ key }) => (typeof key === 'number' ? [key] : [])),
  } as const
  const values = {
    axis: chart.values,
    other: chart.keys,
    id: axisIds.values,
    crosses: axisIds.keys,
    side: up,
    isDown: false,
    end: kind === 'bars' ? 'max' : 'min',
    reach: points.flatMap(({ value, range }) => [
      ...(value === null ? [] : [value]),
      ...(kind === 'dots' ? (range ?? []) : []),
    ]),
  } as const
  const between = (how: string) => val('c:crossBetween', how)
  if (kind === 'lines')
    return (
      tag('c:valAx', {}, axisXml(keys, 'General'), between('midCat')) +
      tag('c:valAx', {}, axisXml(values, 'General'), between('midCat'))
    )
  const format = kind === 'bars' ? '0%' : 'General'
  const names = axisXml(keys, 'General', kind === 'dots') + val('c:auto', 0) + val('c:noMultiLvlLbl', 1)
  return (
    tag('c:catAx', {}, names) + tag('c:valAx', {}, axisXml(values, format, false, true), between('between'))
  )
}

interface AxisLayout {
  readonly axis: ChartAxis
  readonly other: ChartAxis
  readonly id: number
  readonly crosses: number
  readonly side: 'l' | 'b'
  /** The first name at the top. */
  readonly isDown: boolean
  /** Of the other axis, where this one lies. */
  readonly end: 'min' | 'max'
  /** Every number on it. */
  readonly reach: readonly number[]
}

function axisXml(
  { axis, other, id, crosses, side, isDown, end, reach }: AxisLayout,
  format: string,
  isSlanted = false,
  isOfValues = false,
): string {
  const crossing = other.crossedAt === null ? val('c:crosses', end) : val('c:crossesAt', other.crossedAt)
  const turned = isSlanted ? { rot: slanted, vert: 'horz' } : {}
  return [
    val('c:axId', id),
    scalingXml(axis, reach, isDown),
    val('c:delete', 0),
    val('c:axPos', side),
    axis.logarithmic || isOfValues ? tag('c:majorGridlines', {}, lineLook(grid, 9525)) : '',
    titleXml(axis.name, fontSize.axis),
    tag('c:numFmt', { formatCode: format, sourceLinked: 0 }),
    val('c:majorTickMark', 'out') +
      val('c:minorTickMark', 'none') +
      val('c:tickLblPos', end === 'max' ? 'high' : 'low'),
    lineLook(quiet, 9525),
    tag(
      'c:txPr',
      {},
      tag('a:bodyPr', turned),
      tag('a:p', {}, tag('a:pPr', {}, runLook(fontSize.axis)), tag('a:endParaRPr', { lang: 'en-US' })),
    ),
    val('c:crossAx', crosses),
    crossing,
  ].join('')
}

/** Of a logarithmic axis whole powers of ten, none of them on a point, so that every program draws the same. */
function scalingXml(
  { logarithmic, crossedAt }: ChartAxis,
  reach: readonly number[],
  isDown: boolean,
): string {
  const orientation = val('c:orientation', isDown ? 'maxMin' : 'minMax')
  const positive = [...reach, ...(crossedAt === null ? [] : [crossedAt])].filter((value) => value > 0)
  if (!logarithmic || positive.length === 0) return tag('c:scaling', {}, orientation)
  const [least, most] = positive.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, 0],
  )
  const power = (exponent: number) => Number(`1e${exponent}`)
  const max = val('c:max', power(Math.ceil(Math.log10(most * roomAtEnds))))
  const min = val('c:min', power(Math.floor(Math.log10(least / roomAtEnds))))
  return tag('c:scaling', {}, val('c:logBase', 10), orientation, max, min)
}

function titleXml(text: string, size: number): string {
  const run = tag('a:r', {}, tag('a:rPr', { lang: 'en-US', sz: size, b: 0 }), tag('a:t', {}, escaped(text)))
  const rich = tag('c:rich', {}, tag('a:bodyPr'), tag('a:p', {}, tag('a:pPr', {}, runLook(size)), run))
  return tag('c:title', {}, tag('c:tx', {}, rich), val('c:overlay', 0))
}

const runLook = (size: number): string => tag('a:defRPr', { sz: size, b: 0 })

function legendAt(side: 'r' | 't'): string {
  return tag('c:legend', {}, val('c:legendPos', side), val('c:overlay', 0))
}

const solid = (colour: string): string => tag('a:solidFill', {}, val('a:srgbClr', colour.replace('#', '')))

function lineLook(colour: string, width: number): string {
  return tag('c:spPr', {}, tag('a:ln', { w: width }, solid(colour)))
}
