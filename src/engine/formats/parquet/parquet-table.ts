import type { FileHandle } from 'node:fs/promises'
import type {
  AsyncBuffer,
  ColumnChunk,
  ColumnMetaData,
  Compressors,
  DecodedArray,
  FileMetaData,
  SchemaTree,
} from 'hyparquet'
import {
  everyRow,
  groupWithin,
  type ColumnarGroup,
  type ColumnarTable,
  type ColumnCells,
  type LeftOutColumn,
  type LocatedGroup,
} from '../column-cells'
import { columnarRefusal, orDamaged } from '../columnar-failure'
import { decompressBrotli, decompressGzip, decompressLz4Raw, decompressZstd } from '../decompress'
import { readAt } from '../read-at'
import { parquetKind, type ParquetKind } from './parquet-kind'
import { pagesOf } from './parquet-pages'

/** What the library has of its own: none, and Snappy. */
const compressors: Compressors = {
  GZIP: decompressGzip,
  BROTLI: decompressBrotli,
  ZSTD: decompressZstd,
  LZ4_RAW: decompressLz4Raw,
}
const codecs: readonly string[] = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors)]

interface ParquetColumn extends ParquetKind {
  readonly name: string
}

type RowGroup = FileMetaData['row_groups'][number]
type ColumnChunkFacts = Pick<ColumnChunk, 'meta_data'>
const noChunk: ColumnChunkFacts = {}

interface ParquetFile {
  readonly path: string
  readonly file: AsyncBuffer
  readonly metadata: FileMetaData
  readonly columns: readonly ParquetColumn[]
}

/** The columns of a Parquet file; memory is bounded by a column of a row group. @throws LabError `csv.parquet` */
export async function openParquet(handle: FileHandle, path: string): Promise<ColumnarTable> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet')
  const { size } = await handle.stat()
  const slice = async (start: number, end = size) => (await readAt(handle, start, end - start)).buffer
  const file: AsyncBuffer = { byteLength: size, slice }
  const metadata = await orDamaged('parquet', path, () => parquetMetadataAsync(file, { geoparquet: false }))
  const { columns, leftOut } = sorted(parquetSchema(metadata).children)
  refuseSameNames(columns, path)
  refuseCodecs(metadata, columns, path)
  const parquet = { path, file, metadata, columns }
  return {
    columns,
    leftOut,
    rows: Number(metadata.num_rows),
    warnings: [],
    groups: (part) => rowGroups(parquet, part),
    groupAt: async (row) => rowGroupAt(parquet, row),
  }
}

/** @throws RangeError */
function rowGroupAt(parquet: ParquetFile, row: number): LocatedGroup {
  let first = 0
  for (const group of parquet.metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (row < first + rows) return { first, rows, column: columnReader(parquet, group, rows) }
    first += rows
  }
  throw new RangeError(`The file has ${first} rows.`)
}

/** Reads columns of a row group by their index in the table. */
function columnReader(parquet: ParquetFile, { columns }: RowGroup, rows: number): ColumnarGroup['column'] {
  const chunks = new Map(columns.map((chunk) => [chunk.meta_data?.path_in_schema[0], chunk]))
  return (index) => {
    const column = parquet.columns[index]
    return readColumn(parquet, chunks.get(column.name) ?? noChunk, column, rows)
  }
}

/** Columns of a table, and those that cannot be such. */
function sorted(children: readonly SchemaTree[]): { columns: ParquetColumn[]; leftOut: LeftOutColumn[] } {
  const columns: ParquetColumn[] = []
  const leftOut: LeftOutColumn[] = []
  for (const { element, children: within } of children) {
    const { name } = element
    const isNested = within.length > 0 || element.repetition_type === 'REPEATED'
    const kind = isNested ? 'lists, structs or the like' : parquetKind(element)
    if (typeof kind === 'string') leftOut.push({ name, holds: kind })
    else columns.push({ name, ...kind })
  }
  return { columns, leftOut }
}

/** The library tells columns apart by their names. */
function refuseSameNames(columns: readonly ParquetColumn[], path: string): void {
  const names = columns.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice === undefined) return
  throw columnarRefusal('parquet', path, `has two columns named '${twice}'`, 'give each a name of its own')
}

function refuseCodecs({ row_groups: groups }: FileMetaData, columns: readonly ParquetColumn[], path: string) {
  const names = new Set(columns.map(({ name }) => name))
  for (const { meta_data: facts } of groups.flatMap((group) => group.columns)) {
    if (facts === undefined || !names.has(facts.path_in_schema[0]) || codecs.includes(facts.codec)) continue
    const why = `is compressed by ${facts.codec}, which is not read`
    throw columnarRefusal('parquet', path, why, 'write it with Snappy, Zstandard or no compression')
  }
}

/** Those that hold rows of the part, each as far as it does. */
async function* rowGroups(parquet: ParquetFile, part = everyRow): AsyncGenerator<ColumnarGroup> {
  let before = 0
  for (const group of parquet.metadata.row_groups) {
    // What follows the part in its last group need not be read.
    const rows = Math.min(Number(group.num_rows), part.first + part.count - before)
    if (rows <= 0) return
    const end = Math.max(
      ...group.columns.map(({ meta_data: facts }) => (facts === undefined ? 0 : endOf(facts))),
    )
    const within = groupWithin({ rows, end, column: columnReader(parquet, group, rows) }, before, part)
    if (within !== null) yield within
    before += rows
  }
}

function startOf({ dictionary_page_offset: dictionary, data_page_offset: data }: ColumnMetaData): number {
  return Number(dictionary || data)
}

function endOf(facts: ColumnMetaData): number {
  return startOf(facts) + Number(facts.total_compressed_size)
}

async function readColumn(
  { path, file }: ParquetFile,
  { meta_data: facts }: ColumnChunkFacts,
  { name, element, parsers, cells }: ParquetColumn,
  rows: number,
): Promise<ColumnCells> {
  return orDamaged('parquet', path, async () => {
    if (facts === undefined) throw new Error(`Column ${name} lies in another file.`)
    const bytes = new Uint8Array(await file.slice(startOf(facts), endOf(facts)))
    const values = joined([...pagesOf({ bytes, facts, element, parsers, compressors }, rows)])
    if (values.length < rows) throw new Error(`Column ${name} has ${values.length} of ${rows} values.`)
    return cells(values.length === rows ? values : values.slice(0, rows))
  })
}

/** Pages as one array, of the kind that all of them are. */
function joined(parts: readonly DecodedArray[]): DecodedArray {
  if (parts.length === 1) return parts[0]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return (
    ofKind(Float64Array, parts, length) ??
    ofKind(Float32Array, parts, length) ??
    ofKind(Int32Array, parts, length) ??
    ofKind(BigInt64Array, parts, length) ??
    listed(parts, length)
  )
}

interface Joinable<Part> {
  set(values: Part, at: number): void
}

function ofKind<Whole extends DecodedArray & Joinable<Whole>>(
  Kind: new (length: number) => Whole,
  parts: readonly DecodedArray[],
  length: number,
): Whole | null {
  if (parts.length === 0 || !parts.every((part) => part instanceof Kind)) return null
  const whole = new Kind(length)
  let at = 0
  for (const part of parts) {
    whole.set(part as Whole, at)
    at += part.length
  }
  return whole
}

function listed(parts: readonly DecodedArray[], length: number): unknown[] {
  const whole = new Array<unknown>(length)
  let at = 0
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) whole[at + i] = part[i] as unknown
    at += part.length
  }
  return whole
}
