import type { Cell, Row, SheetData } from 'write-excel-file/node'
import { t } from '@shared/locale/translate'
import { headerRow, sheetCell } from '../sheet'
import type { Chart, ChartPoint, ChartSeries } from './chart'

/** Cells of one column below each other, and what stands in them. */
export interface Cells<Value extends string | number | null> {
  /** E.g. `'Plot data'!$B$3:$B$9`. */
  readonly at: string
  readonly values: readonly Value[]
}

/** A series by the cells that hold it. */
export interface SeriesLayout {
  readonly series: ChartSeries
  readonly name: Cells<string>
  readonly keys: Cells<string | number>
  readonly values: Cells<number | null>
  /** How far the range goes down and up from each value; null without ranges. */
  readonly reach: { readonly below: Cells<number>; readonly above: Cells<number> } | null
}

export interface ChartLayout {
  readonly chart: Chart
  readonly series: readonly SeriesLayout[]
}

export const plotDataSheet = (): string => t('benchmark-tables.sheetPlotData')

/** The sheet from which the charts are drawn, a block for each, and where each series lies in it. */
export function layOutCharts(charts: readonly Chart[]): {
  readonly data: SheetData
  readonly layouts: readonly ChartLayout[]
} {
  const data: Row[] = []
  const layouts = charts.map((chart): ChartLayout => {
    data.push([sheetCell(chart.title)])
    data.push(
      headerRow([
        chart.of,
        chart.keys.name,
        chart.values.name,
        ...[t('benchmark-tables.rangeBelow'), t('benchmark-tables.rangeAbove')],
      ]),
    )
    const series = chart.series.map((one) => {
      const first = data.length + 1
      data.push(...one.points.map((point) => rowOf(one, point)))
      return layOutSeries(one, first)
    })
    data.push([])
    return { chart, series }
  })
  return { data, layouts }
}

function rowOf(series: ChartSeries, point: ChartPoint): Row {
  const { below, above } = reachOf(series, point)
  const reach: Cell[] = point.range === null ? [] : [below, above].map((value) => sheetCell(value))
  return [sheetCell(series.name), sheetCell(point.key), sheetCell(point.value), ...reach]
}

/** From the value; of a crossing, which lies where lines cross, from the size. */
function reachOf({ look }: ChartSeries, { key, value, range }: ChartPoint) {
  const middle = look === 'crossing' && typeof key === 'number' ? key : value
  if (range === null || middle === null) return { below: 0, above: 0 }
  return { below: Math.max(0, middle - range[0]), above: Math.max(0, range[1] - middle) }
}

function layOutSeries(series: ChartSeries, first: number): SeriesLayout {
  const { points } = series
  const last = first + points.length - 1
  const column = <Value extends string | number | null>(letter: string, values: readonly Value[]) => ({
    at: `'${plotDataSheet()}'!$${letter}$${first}:$${letter}$${last}`,
    values,
  })
  const reaches = points.map((point) => reachOf(series, point))
  const hasRange = points.some(({ range }) => range !== null)
  return {
    series,
    name: { at: `'${plotDataSheet()}'!$A$${first}`, values: [series.name] },
    keys: column(
      'B',
      points.map(({ key }) => key),
    ),
    values: column(
      'C',
      points.map(({ value }) => value),
    ),
    reach: hasRange
      ? {
          below: column(
            'D',
            reaches.map(({ below }) => below),
          ),
          above: column(
            'E',
            reaches.map(({ above }) => above),
          ),
        }
      : null,
  }
}
