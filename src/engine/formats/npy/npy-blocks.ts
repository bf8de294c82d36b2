import type { FileHandle } from 'node:fs/promises'
import type { RowPart } from '../../engines/engine'
import { readInto } from '../read-at'
import { bytesOf, damagedNpy, readNpyHeader, type NpyHeader } from './npy-header'

/** Rows of an array, as they lie in the file. */
export interface NpyBlock {
  readonly header: NpyHeader
  /** (rows, columns) row by row, or column by column in the order of Fortran. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly rows: number
  /** Bytes of the file up to its end, in the order of Fortran as many as were read. */
  readonly end: number
}

/**
 * Blocks of rows, each good until the next is asked for.
 * @param most values of a block, unless a row has more @param part rows that are wanted
 * @throws LabError `csv.npy`
 */
export async function* npyBlocks(
  handle: FileHandle,
  path: string,
  most: number,
  part: RowPart,
): AsyncGenerator<NpyBlock> {
  const header = await readNpyHeader(handle, path)
  const { rows, columns, kind } = header
  const last = Math.min(rows, part.first + part.count)
  const rowsOfBlock = Math.min(last - part.first, Math.max(1, Math.floor(most / columns)))
  const room = new Uint8Array(rowsOfBlock * columns * bytesOf(kind))
  let end = header.offset + part.first * columns * bytesOf(kind)
  for (let row = part.first; row < last; row += rowsOfBlock) {
    const count = Math.min(rowsOfBlock, last - row)
    const bytes = room.subarray(0, count * columns * bytesOf(kind))
    await readRows(handle, header, row, bytes).catch((thrown: unknown) => {
      throw thrown instanceof RangeError ? damagedNpy(path, thrown.message) : thrown
    })
    end += bytes.length
    yield { header, bytes, rows: count, end }
  }
}

/** The rows that hold one, at most `count` of them. @throws LabError `csv.npy` */
export async function npyBlockAt(
  handle: FileHandle,
  path: string,
  header: NpyHeader,
  row: number,
  count: number,
): Promise<NpyBlock & { readonly first: number }> {
  const first = row - (row % count)
  const rows = Math.min(count, header.rows - first)
  const bytes = new Uint8Array(rows * header.columns * bytesOf(header.kind))
  await readRows(handle, header, first, bytes).catch((thrown: unknown) => {
    throw thrown instanceof RangeError ? damagedNpy(path, thrown.message) : thrown
  })
  return { header, bytes, rows, first, end: 0 }
}

async function readRows(
  handle: FileHandle,
  { kind, fortranOrder, rows, columns, offset }: NpyHeader,
  first: number,
  into: Uint8Array,
): Promise<void> {
  const size = bytesOf(kind)
  if (!fortranOrder) return readInto(handle, offset + first * columns * size, into)
  const part = into.length / columns
  for (let column = 0; column < columns; column++) {
    const from = offset + (column * rows + first) * size
    await readInto(handle, from, into.subarray(column * part, (column + 1) * part))
  }
}
