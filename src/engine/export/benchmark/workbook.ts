import { Buffer } from 'node:buffer'
import type { Image, SheetData } from 'write-excel-file/node'
import { configurationDescription } from '@shared/benchmark/configuration-text'
import { uncountedWords } from '@shared/benchmark/counted'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { machineDescription } from '@shared/benchmark/machine-text'
import { publicationTables, type PublicationTable } from '@shared/benchmark/publication-tables'
import { madeOf, scaledMark } from '@shared/benchmark/scaled'
import { significant } from '@shared/benchmark/significant'
import { statisticsOf } from '@shared/benchmark/statistics'
import { speedupList } from '@shared/benchmark/speedup-list'
import { headWord, stateWords } from '@shared/benchmark/table'
import type { Language } from '@shared/locale/languages'
import { localizedSentence } from '@shared/locale/localized-sentence'
import { speaking, t } from '@shared/locale/translate'
import type { TitledPlot } from '@shared/plot-image'
import type { ByteSink } from '../atomic-file'
import { timingsColumns, timingsValues } from '../timings-row'
import type { Chart } from './charts/chart'
import { chartPixels, chartsFeature } from './charts/charts-feature'
import { chartsOf } from './charts/charts-of'
import { layOutCharts, plotDataSheet } from './charts/plot-data'
import { pngSize } from './png-size'
import { pagesFeature, rowPixels } from './pages-feature'
import { columnWidths, headerRow, sheetCell, tableRows } from './sheet'
import { timingsRow } from './timings'

/** What an export of a comparison refers to and shows. */
export interface BenchmarkView {
  /** Key of the contender to which speed-ups refer. */
  readonly baseline: string
  /** Empty on the command line, which has no window to draw them. */
  readonly plots: readonly TitledPlot[]
}

/**
 * timings.xlsx: Times, Speed-ups, Machine and Plots, a sheet each, header rows frozen, then what a study published beside
 * what was measured. The plots are the window's pictures, or, without a window, charts of the spreadsheet program with their
 * values on a sheet of their own.
 */
export async function writeWorkbook(
  document: BenchmarkDocument,
  view: BenchmarkView,
  sink: ByteSink,
  language: Language = 'en',
): Promise<void> {
  const { sheets, features } = speaking(language, () => sheetsOf(document, view))
  // Loaded when a workbook is wanted: on a machine without packages everything else works.
  const { default: writeExcelFile } = await import('write-excel-file/node')
  await sink.writeBytes(await writeExcelFile(sheets, { features }).toBuffer())
}

function sheetsOf(document: BenchmarkDocument, { baseline, plots }: BenchmarkView) {
  const pictures = plots.filter(({ format }) => format === 'png')
  const tables = [
    { sheet: t('benchmark-tables.sheetTimes'), data: timesSheet(document) },
    { sheet: t('benchmark-tables.sheetSpeedUps'), data: tableRows(speedupList(document, baseline)) },
    { sheet: t('benchmark-tables.sheetMachine'), data: machineSheet(document) },
  ].map((sheet) => ({ ...sheet, columns: columnWidths(sheet.data), stickyRowsCount: 1 }))
  const drawn = pictures.length > 0 ? pictureSheet(pictures) : chartSheets(chartsOf(document, baseline))
  const sheets = [...tables, ...drawn.sheets, ...publicationSheets(document, baseline)].map((sheet) => ({
    ...sheet,
    orientation: 'landscape' as const,
  }))
  return { sheets, features: [...drawn.features, pagesFeature(plotsAt, drawn.pageStarts)] }
}

/** The columns of timings.csv, under its names in every language, then why a row has no times. */
function timesSheet({ rows }: BenchmarkDocument): SheetData {
  const lines = rows.map((row) => {
    const refused = row.state !== 'measured'
    const values = [
      ...timingsValues(timingsRow(row)),
      row.contender,
      stateWords[row.state],
      uncountedWords(row) ?? scaledRemark(row),
    ]
    return values.map((value) => sheetCell(value, refused))
  })
  return [headerRow([...timingsColumns, ...['contender', 'state', 'reason'].map(headWord)]), ...lines]
}

/** The times of this sheet are those measured. */
function scaledRemark(row: Measurement): string | null {
  const made = madeOf(row)
  const scaled = statisticsOf(row.totalsMs).median
  if (made === null || scaled === null) return null
  return t('benchmark-tables.theseAreTheirTimes', [made, `${scaledMark}${significant(scaled)}`])
}

/** Behind the others: most comparisons have none. Notes stand below, each in a row. */
function publicationSheets(document: BenchmarkDocument, baseline: string) {
  return publicationTables(document, baseline).map(({ name, table }) => {
    const rows = tableRows(table)
    const notes = table.notes.map((note) => [sheetCell(note)])
    return {
      sheet: sheetName[name](),
      data: [...rows, [], ...notes],
      columns: columnWidths(rows),
      stickyRowsCount: 1,
    }
  })
}

const sheetName: Readonly<Record<PublicationTable['name'], () => string>> = {
  Published: () => t('benchmark-tables.sheetPublished'),
  Ratios: () => t('benchmark-tables.sheetRatios'),
  'Ratio data': () => t('benchmark-tables.sheetRatioData'),
}

function machineSheet(document: BenchmarkDocument): SheetData {
  const { machine, startedAt, suite } = document
  const { publication } = suite
  const facts = [
    { name: t('benchmark-tables.comparison'), value: localizedSentence(suite.name) },
    { name: t('benchmark-tables.description'), value: localizedSentence(suite.description) },
    ...machineDescription(machine, startedAt),
    ...configurationDescription(document),
    ...(publication === null
      ? []
      : [
          { name: t('benchmark-tables.publication'), value: publication.title },
          { name: t('benchmark-tables.publishedOnHead'), value: localizedSentence(publication.hardware) },
          { name: t('benchmark-tables.note'), value: localizedSentence(publication.note) },
        ]),
  ]
  return [
    headerRow([t('benchmark-tables.what'), t('benchmark-tables.value')]),
    ...facts.map(({ name, value }) => [name, value].map((text) => sheetCell(text))),
  ]
}

/** Of the sheet Plots among the sheets. */
const plotsAt = 3
const widestPicture = 900
const dotsPerInch = 96
/** Pixels of a page on its side, under the name of the picture. */
const pageHeight = 600
const minShrunk = 0.75

/** One below the other, each under its title. */
function pictureSheet(plots: readonly TitledPlot[]) {
  const data: SheetData = []
  const images: Image[] = []
  const pageStarts: number[] = []
  for (const { title, bytes } of plots) {
    const size = pngSize(bytes)
    if (size === null) continue
    const scale = scaleOf(size)
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)]
    pageStarts.push(data.length)
    data.push(headerRow([title]))
    images.push({
      ...{ content: Buffer.from(bytes), contentType: 'image/png', width, height, dpi: dotsPerInch },
      ...{ anchor: { row: data.length + 1, column: 1 }, title },
    })
    for (let y = -1; y < height / rowPixels; y++) data.push([])
  }
  return { sheets: [{ ...plotsSheet(), data, images }], features: [], pageStarts }
}

/** As wide as a page, and, where it takes little, as high. */
function scaleOf(size: { readonly width: number; readonly height: number }): number {
  const wide = Math.min(1, widestPicture / size.width)
  const high = pageHeight / size.height
  return high < wide && high > minShrunk * wide ? high : wide
}

const plotsSheet = () => ({
  sheet: t('benchmark-tables.sheetPlots'),
  showGridLines: false,
  columns: [{ width: 40 }],
})

/** Where there is no window to draw pictures: charts that the spreadsheet program draws, and the sheet of their values. */
function chartSheets(charts: readonly Chart[]) {
  const hint =
    charts.length === 0
      ? t('benchmark-tables.noTimeCountsYet')
      : t('benchmark-tables.chartsOfTheValues', [plotDataSheet()])
  const plots = { ...plotsSheet(), data: [[sheetCell(hint)]] }
  if (charts.length === 0) return { sheets: [plots], features: [], pageStarts: [] }
  const { data, layouts } = layOutCharts(charts)
  const rowsOfChart = Math.ceil(chartPixels.height / rowPixels) + 1
  const firstRows = charts.map((_, i) => 2 + i * rowsOfChart)
  // The titles of the blocks, alone in their rows, run over the cells beside them.
  const columns = columnWidths(data.filter(({ length }) => length > 1))
  return {
    sheets: [plots, { sheet: plotDataSheet(), data, columns }],
    features: [chartsFeature(layouts, plotsAt, firstRows)],
    pageStarts: firstRows,
  }
}
