import type { Feature, Image } from 'write-excel-file/node'
import { chartNamespace, chartXml } from './chart-xml'
import type { ChartLayout } from './plot-data'
import { tag } from './xml'

/** English Metric Units of a pixel of 96 to the inch. */
const unitsOfPixel = 9525
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentType = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'

export const chartPixels = { width: 900, height: 520 } as const

/**
 * Charts on a sheet, for write-excel-file, which has none of its own.
 * @param sheet 0-based, among the sheets
 * @param rows 0-based, of the top of each chart
 */
export function chartsFeature(
  charts: readonly ChartLayout[],
  sheet: number,
  rows: readonly number[],
): Feature<Image['content']> {
  const onSheet =
    (markup: () => string) =>
    (_options: unknown, { sheetIndex }: { readonly sheetIndex: number }) =>
      sheetIndex === sheet ? markup() : undefined
  const frames = () => charts.map(({ chart }, i) => frame(chart.title, i, rows[i])).join('')
  return {
    files: {
      transform: {
        '[Content_Types].xml': { insert: () => charts.map((_, i) => partType(i)).join('') },
        'xl/drawings/drawing{id}.xml': { insert: onSheet(frames) },
        'xl/drawings/_rels/drawing{id}.xml.rels': {
          insert: onSheet(() => charts.map((_, i) => relation(i)).join('')),
        },
      },
      write: {
        files: () => Object.fromEntries(charts.map((chart, i) => [`xl/${partName(i)}`, chartXml(chart)])),
      },
    },
  }
}

const partName = (i: number): string => `charts/chart${i + 1}.xml`
const relationId = (i: number): string => `rId-chart-${i + 1}`

function partType(i: number): string {
  return tag('Override', { PartName: `/xl/${partName(i)}`, ContentType: contentType })
}

function relation(i: number): string {
  return tag('Relationship', {
    Id: relationId(i),
    Type: `${relations}/chart`,
    Target: `../${partName(i)}`,
  })
}

/** @param row 0-based, of the top of the chart */
function frame(title: string, i: number, row: number): string {
  const anchor = { 'xdr:col': 0, 'xdr:colOff': 0, 'xdr:row': row, 'xdr:rowOff': 0 }
  const corner = Object.entries(anchor).map(([name, value]) => tag(name, {}, String(value)))
  const size = { cx: chartPixels.width * unitsOfPixel, cy: chartPixels.height * unitsOfPixel }
  const named = tag('xdr:cNvPr', { id: i + 2, name: `Plot ${i + 1}`, descr: title })
  const chart = tag('c:chart', { 'xmlns:c': chartNamespace, 'xmlns:r': relations, 'r:id': relationId(i) })
  return tag(
    'xdr:oneCellAnchor',
    {},
    tag('xdr:from', {}, ...corner),
    tag('xdr:ext', size),
    tag(
      'xdr:graphicFrame',
      { macro: '' },
      tag('xdr:nvGraphicFramePr', {}, named, tag('xdr:cNvGraphicFramePr')),
      tag('xdr:xfrm', {}, tag('a:off', { x: 0, y: 0 }), tag('a:ext', { cx: 0, cy: 0 })),
      tag('a:graphic', {}, tag('a:graphicData', { uri: chartNamespace }, chart)),
    ),
    tag('xdr:clientData'),
  )
}
