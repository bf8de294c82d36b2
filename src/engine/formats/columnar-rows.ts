import type { FileHandle } from 'node:fs/promises'
import type { ColumnarFormat } from '@shared/dataset'
import type { CsvRecord } from '@engine/csv/records'
import type { TableBuilder } from '@engine/csv/table-builder'
import { readRaw, withSource, type ReadRawOptions } from '@engine/csv/text-source'
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
 * @throws LabError those of the format, `csv.changed`, `cancelled`
 */
export async function* addColumnarRows(
  table: Pick<TableBuilder, 'addCells' | 'endRows'>,
  path: string,
  format: ColumnarFormat,
  options: ReadRawOptions,
): AsyncGenerator<void> {
  yield* readRaw(path, { ...options, blockBytes }, (raw, handle) =>
    added(raw, handle, path, format, table, options.signal),
  )
}

/**
 * The same of some of the rows, which others read the rest of.
 * @param table of these rows alone
 * @throws LabError those of the format, `cancelled`
 */
export async function addColumnarPart(
  table: Pick<TableBuilder, 'addCells' | 'endRows'>,
  path: string,
  format: ColumnarFormat,
  part: RowPart,
  { signal, onBytes }: Pick<ReadRawOptions, 'signal'> & { readonly onBytes: (total: number) => void },
): Promise<void> {
  const slices = new Slices(signal)
  await withSource(path, async (handle) => {
    const { columns, groups } = await openColumnar(format, handle, path)
    let first = part.first + 1
    for await (const group of groups(part)) {
      await addGroup(table, columns.length, group, first, slices)
      first += group.rows
      onBytes(group.end)
    }
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

async function* added(
  raw: AsyncIterable<Uint8Array>,
  handle: FileHandle,
  path: string,
  format: ColumnarFormat,
  table: Pick<TableBuilder, 'addCells' | 'endRows'>,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const slices = new Slices(signal)
  const bytes = new Alongside(raw)
  const { columns, groups } = await openColumnar(format, handle, path)
  let first = 1
  for await (const group of groups()) {
    await addGroup(table, columns.length, group, first, slices)
    first += group.rows
    await bytes.until(group.end)
    yield
  }
  await bytes.until(Infinity)
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
