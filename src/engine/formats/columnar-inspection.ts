import type { ColumnarFormat, Dialect, Evidence, FileFacts, ImportOverrides } from '@shared/dataset'
import type { Inspection } from '@engine/csv/inspect'
import { findLeadingLines } from '@engine/csv/leading-lines'
import { columnNames } from '@engine/csv/names'
import { withSource } from '@engine/csv/text-source'
import { plural } from '@shared/quantity-words'
import type { ColumnarTable, LeftOutColumn } from './column-cells'
import { openColumnar } from './columnar'
import { columnarRefusal, formatNames } from './columnar-failure'

/** As many rows as are looked at in files of text. */
const sampledRows = 200

/** Names told in a sentence. */
const maxNamed = 20

/** What is known of a file that has columns of its own. */
export interface ColumnarFacts {
  readonly format: ColumnarFormat
  readonly rows: number
  /** Indices of columns that are texts even where these are digits. */
  readonly texts: ReadonlySet<number>
  readonly leftOut: number
  /** What a number is kept in; absent: as few bytes as its column needs. */
  readonly numberBytes?: number
  readonly warnings: readonly string[]
}

/** How its cells are told apart where they have to be text. */
export const columnarDialect: Dialect = {
  ...{ format: 'delimited', encoding: 'utf-8', delimiter: ',', quote: '', header: false, decimal: '.' },
}

/** What the metadata and the first rows of such a file say. @throws LabError for what is no table, `import.no-text` */
export async function inspectColumnar(
  file: FileFacts,
  format: ColumnarFormat,
  overrides: ImportOverrides,
): Promise<Inspection> {
  refuseDialect(file.path, format, overrides)
  return withSource(file.path, async (handle) => {
    const table = await openColumnar(format, handle, file.path)
    if (table.columns.length === 0) throw noColumns(file.path, format, table.leftOut)
    const sample = await firstRows(table)
    const written = table.columns.map(({ name }) => name)
    const names = columnNames(written, written.length)
    const because = `The file is ${anA(format)}, which has columns of its own.`
    const evidence: Evidence = { because, overridden: false, doubtful: false }
    const form = { columnar: format, dialect: columnarDialect, leadingLines: 0, shape: null }
    return {
      ...{ file, dialect: columnarDialect, form, bom: false, names, sample },
      evidence: ofAll(evidence),
      header: format === 'npy' ? null : written,
      sampled: sample.map((cells, row) => ({ record: row + 1, cells })),
      ...{ firstRecord: 1, counts: null, titles: [] },
      leading: findLeadingLines(''),
      met: { blank: [], doubts: [], damaged: [], isOpen: false },
      lateEncoding: null,
      columnar: factsOf(format, table),
    }
  })
}

function ofAll(evidence: Evidence): Readonly<Record<keyof Dialect, Evidence>> {
  const [format, encoding, delimiter, quote, header, decimal] = Array.from({ length: 6 }, () => evidence)
  return { format, encoding, delimiter, quote, header, decimal }
}

function anA(format: ColumnarFormat): string {
  return format === 'npy' ? 'a NumPy array' : format === 'arrow' ? 'an Arrow file' : 'a Parquet file'
}

function factsOf(
  format: ColumnarFormat,
  { columns, leftOut, rows, warnings, numberBytes }: ColumnarTable,
): ColumnarFacts {
  const texts = columns.flatMap(({ holds }, index) => (holds === 'text' ? [index] : []))
  return {
    format,
    rows,
    texts: new Set(texts),
    leftOut: leftOut.length,
    ...(numberBytes !== undefined && { numberBytes }),
    warnings: [...leftOutSentences(leftOut), ...warnings],
  }
}

function leftOutSentences(leftOut: readonly LeftOutColumn[]): string[] {
  if (leftOut.length === 0) return []
  const named = leftOut.slice(0, maxNamed).map(({ name, holds }) => `${name} (${holds})`)
  const more = leftOut.length - named.length
  const rest = more > 0 ? ` and ${plural(more, 'column')} more` : ''
  return [`Left out, because they hold no plain cells: ${named.join(', ')}${rest}.`]
}

async function firstRows(table: ColumnarTable): Promise<string[][]> {
  const rows: string[][] = []
  for await (const group of table.groups({ first: 0, count: sampledRows })) {
    const count = Math.min(group.rows, sampledRows - rows.length)
    const first = rows.length
    for (let row = 0; row < count; row++) rows.push([])
    for (const index of table.columns.keys()) {
      const cells = await group.column(index)
      for (let row = 0; row < count; row++) rows[first + row].push(cells.textAt(row))
    }
    if (rows.length >= sampledRows) break
  }
  return rows
}

const dialectWords = {
  ...{ encoding: 'encoding', delimiter: 'delimiter', quote: 'quote', header: 'header row' },
  ...{ titleRows: 'title rows', decimal: 'decimal mark' },
} as const satisfies Partial<Record<keyof ImportOverrides, string>>

/** Settings of text mean nothing where there is none. */
function refuseDialect(path: string, format: ColumnarFormat, overrides: ImportOverrides): void {
  const set = Object.entries(dialectWords).filter(([key]) => key in overrides)
  const words = [...set.map(([, word]) => word), ...(overrides.format === 'headed' ? ['headed format'] : [])]
  if (words.length === 0) return
  const why = `has no text, so that no ${words.join(', ')} can be set for it`
  throw columnarRefusal(format, path, why, 'leave that out, or export the table as CSV')
}

function noColumns(path: string, format: ColumnarFormat, leftOut: readonly LeftOutColumn[]) {
  const held = [...new Set(leftOut.map(({ holds }) => holds))].join(', ')
  const why = leftOut.length === 0 ? 'has no columns' : `has no column of plain cells (only ${held})`
  return columnarRefusal(format, path, why, `write a ${formatNames[format]} file with columns of numbers`)
}
