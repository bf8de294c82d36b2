import { Buffer } from 'node:buffer'
import type { Image, SheetData } from 'write-excel-file/node'
import { configurationDescription } from '@shared/benchmark/configuration-text'
import { whyNotCounted } from '@shared/benchmark/counted'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { machineDescription } from '@shared/benchmark/machine-text'
import { speedupList } from '@shared/benchmark/speedup-list'
import { speedupTable } from '@shared/benchmark/speedup-table'
import { timeTable } from '@shared/benchmark/time-tables'
import type { PlotImage } from '@shared/ipc'
import type { ByteSink } from '../atomic-file'
import { timingsColumns, timingsValues } from '../timings-row'
import { pngSize } from './png-size'
import { columnWidths, headerRow, sheetCell, tableRows } from './sheet'
import { timingsRow } from './timings'

/** What an export of a comparison refers to and shows. */
export interface BenchmarkView {
  /** Key of the contender to which speed-ups refer. */
  readonly baseline: string
  /** Empty on the command line, which has no window to draw them. */
  readonly plots: readonly PlotImage[]
}

/** timings.xlsx: Times, Speed-ups, Machine and Plots, a sheet each, header rows frozen. */
export async function writeWorkbook(
  document: BenchmarkDocument,
  { baseline, plots }: BenchmarkView,
  sink: ByteSink,
): Promise<void> {
  const pictures = plots.filter(({ format }) => format === 'png')
  const tables = [
    { sheet: 'Times', data: timesSheet(document) },
    { sheet: 'Speed-ups', data: tableRows(speedupList(document, baseline)) },
    { sheet: 'Machine', data: machineSheet(document) },
  ].map((sheet) => ({ ...sheet, columns: columnWidths(sheet.data), stickyRowsCount: 1 }))
  const last = pictures.length > 0 ? pictureSheet(pictures) : plottedData(document, baseline)
  // Loaded when a workbook is wanted: on a machine without packages everything else works.
  const { default: writeExcelFile } = await import('write-excel-file/node')
  await sink.writeBytes(await writeExcelFile([...tables, { sheet: 'Plots', ...last }]).toBuffer())
}

/** The columns of timings.csv, then why a row has no times. */
function timesSheet({ rows }: BenchmarkDocument): SheetData {
  const lines = rows.map((row) => {
    const refused = row.state !== 'measured'
    const values = [...timingsValues(timingsRow(row)), row.contender, row.state, whyNotCounted(row)]
    return values.map((value) => sheetCell(value, refused))
  })
  return [headerRow([...timingsColumns, 'contender', 'state', 'reason']), ...lines]
}

function machineSheet(document: BenchmarkDocument): SheetData {
  const { machine, startedAt, suite } = document
  const { publication } = suite
  const facts = [
    { name: 'Comparison', value: suite.name },
    { name: 'Description', value: suite.description },
    ...machineDescription(machine, startedAt),
    ...configurationDescription(document),
    ...(publication === null
      ? []
      : [
          { name: 'Publication', value: publication.title },
          { name: 'Published on', value: publication.hardware },
          { name: 'Note', value: publication.note },
        ]),
  ]
  return [
    headerRow(['What', 'Value']),
    ...facts.map(({ name, value }) => [name, value].map((text) => sheetCell(text))),
  ]
}

const rowPixels = 20
const widestPicture = 900
const dotsPerInch = 96

/** One below the other, each under its name; a row is 20 pixels high. */
function pictureSheet(plots: readonly PlotImage[]) {
  const data: SheetData = []
  const images: Image[] = []
  for (const { name, bytes } of plots) {
    const size = pngSize(bytes)
    if (size === null) continue
    const scale = Math.min(1, widestPicture / size.width)
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)]
    data.push(headerRow([name]))
    images.push({
      ...{ content: Buffer.from(bytes), contentType: 'image/png', width, height, dpi: dotsPerInch },
      ...{ anchor: { row: data.length + 1, column: 1 }, title: name },
    })
    for (let y = -1; y < height / rowPixels; y++) data.push([])
  }
  return { data, images, showGridLines: false, columns: [{ width: 40 }] }
}

function plottedData(document: BenchmarkDocument, baseline: string) {
  const hint =
    'This workbook was written without a window, which draws its pictures: the plots are in report.html beside it; for a workbook with pictures open this comparison in the window and export it again. What the plots show:'
  const tables = [timeTable(document), speedupTable(document, baseline)]
  const data: SheetData = [
    [sheetCell(hint)],
    ...tables.flatMap((table): SheetData => [[], [sheetCell(table.title)], ...tableRows(table)]),
  ]
  return { data, columns: columnWidths(data.slice(1)) }
}
