import type { FileHandle } from 'node:fs/promises'
import { Alongside } from '../alongside'
import { readInto } from '../read-at'
import { bytesOf, damagedNpy, readNpyHeader, type NpyHeader } from './npy-header'
import { npyValues } from './npy-values'

/** Values made text at a time. */
const textValues = 1 << 14

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
 * The rows of a .npy file as lines of CSV without a header: the shortest text that reads back to the same float64, whole
 * numbers with all their digits. Cost O(values); memory a block, or a row where that is longer.
 * @param raw the bytes of the file: read to their end, so that they are hashed, though values are read by their position
 * @throws LabError `csv.npy`; what `raw` throws
 */
export async function* npyText(
  raw: AsyncIterable<Uint8Array>,
  handle: FileHandle,
  path: string,
): AsyncGenerator<Uint8Array> {
  const hashed = new Alongside(raw)
  for await (const block of npyBlocks(handle, path, textValues)) {
    yield Buffer.from(linesOf(block))
    await hashed.until(block.end)
  }
  await hashed.until(Infinity)
}

/**
 * Blocks of rows, each good until the next is asked for.
 * @param most values of a block, unless a row has more
 * @throws LabError `csv.npy`
 */
export async function* npyBlocks(handle: FileHandle, path: string, most: number): AsyncGenerator<NpyBlock> {
  const header = await readNpyHeader(handle, path)
  const { rows, columns, kind } = header
  const rowsOfBlock = Math.min(rows, Math.max(1, Math.floor(most / columns)))
  const room = new Uint8Array(rowsOfBlock * columns * bytesOf(kind))
  let end = header.offset
  for (let row = 0; row < rows; row += rowsOfBlock) {
    const count = Math.min(rowsOfBlock, rows - row)
    const bytes = room.subarray(0, count * columns * bytesOf(kind))
    await readRows(handle, header, row, bytes).catch((thrown: unknown) => {
      throw thrown instanceof RangeError ? damagedNpy(path, thrown.message) : thrown
    })
    end += bytes.length
    yield { header, bytes, rows: count, end }
  }
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

function linesOf(block: NpyBlock): string {
  const { fortranOrder, columns } = block.header
  const values = npyValues(block)
  const [rowStep, columnStep] = fortranOrder ? [1, block.rows] : [columns, 1]
  let text = ''
  for (let row = 0; row < block.rows; row++) {
    for (let column = 0; column < columns; column++) {
      text += String(values[row * rowStep + column * columnStep])
      text += column === columns - 1 ? '\n' : ','
    }
  }
  return text
}
