import type { FileHandle } from 'node:fs/promises'
import type { ColumnarFormat } from '@shared/dataset'
import type { CsvRecord } from '@engine/csv/records'
import type { TableBuilder } from '@engine/csv/table-builder'
import { readColumnarSource, readRaw, type ReadRawOptions } from '@engine/csv/text-source'
import { Slices, throwIfAborted } from '../slices'
import { Alongside } from './alongside'
import type { RowPart } from '../engines/engine'
import { everyRow, type ColumnarGroup, type ColumnCells } from './column-cells'
import { openColumnar } from './columnar'

/** Bytes hashed at a time, beside the values. */
const blockBytes = 1 << 20

/** Records handed over at a time. */
const batchRecords = 2048

/**
 * Adds the rows of a file that has columns of its own to a table, column by column.
 * @param part some of them, which others read the rest of
 * @throws LabError those of the format, `csv.changed`, `cancelled`
 */
export async function addColumnarRows(
  table: Pick<TableBuilder, 'addCells' | 'endRows'>,
  path: string,
  format: ColumnarFormat,
  { signal, onBytes }: Pick<ReadRawOptions, 'signal'> & { readonly onBytes: (total: number) => void },
  part: RowPart = everyRow,
): Promise<void> {
  const slices = new Slices(signal)
  await readColumnarSource(path, async (handle, bytes) => {
    const { columns, groups } = await openColumnar(format, handle, path)
    let first = part.first + 1
    for await (const group of groups(part)) {
      throwIfAborted(signal)
      await addGroup(table, columns.length, group, first, slices)
      first += group.rows
      onBytes(Math.min(group.end, bytes))
    }
    return bytes
  })
}

async function addGroup(
  table: Pick<TableBuilder, 'addCells' | 'endRows'>,
  columns: number,
  group: ColumnarGroup,
  first: number,
  slices: Slices,
): Promise<void> {
  for (let index = 0; index < columns; index++) {
    await slices.next()
    table.addCells(index, await group.column(index), first)
  }
  table.endRows(group.rows)
}

/** Rows that follow each other, all columns of them. */
export interface RowBlock {
  /** Number of the first, from 1. */
  readonly record: number
  readonly rows: number
  readonly columns: readonly ColumnCells[]
}

/**
 * The same rows a second time, each block good until the next is asked for.
 * @param part those that are wanted: then bytes are not read for their hash; absent: all
 * @throws LabError as `addColumnarRows`
 */
export async function* columnarBlocks(
  path: string,
  format: ColumnarFormat,
  options: ReadRawOptions,
  part?: RowPart,
): AsyncGenerator<RowBlock> {
  yield* readRaw(path, { ...options, blockBytes }, (raw, handle) =>
    blocks(part === undefined ? raw : null, handle, path, format, options.signal, part),
  )
}

async function* blocks(
  raw: AsyncIterable<Uint8Array> | null,
  handle: FileHandle,
  path: string,
  format: ColumnarFormat,
  signal: AbortSignal,
  part = everyRow,
): AsyncGenerator<RowBlock> {
  const bytes = raw && new Alongside(raw)
  const table = await openColumnar(format, handle, path)
  let record = part.first + 1
  for await (const group of table.groups(part)) {
    throwIfAborted(signal)
    const columns = await Promise.all(table.columns.map((_, index) => group.column(index)))
    yield { record, rows: group.rows, columns }
    record += group.rows
    await bytes?.until(group.end)
  }
  await bytes?.until(Infinity)
}

/** The same rows as records of text. */
export async function* columnarRecords(
  path: string,
  format: ColumnarFormat,
  options: ReadRawOptions,
): AsyncGenerator<readonly CsvRecord[]> {
  const slices = new Slices(options.signal)
  for await (const { record, rows, columns } of columnarBlocks(path, format, options)) {
    for (let row = 0; row < rows; row += batchRecords) {
      const count = Math.min(batchRecords, rows - row)
      yield Array.from({ length: count }, (_, i) => ({
        record: record + row + i,
        cells: columns.map((column) => column.textAt(row + i)),
      }))
      await slices.next()
    }
  }
}
