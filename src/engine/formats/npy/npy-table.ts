import type { FileHandle } from 'node:fs/promises'
import type { ColumnarGroup, ColumnarTable, ColumnCells, LocatedGroup } from '../column-cells'
import type { RowPart } from '../../engines/engine'
import { loadCpuAddon } from '../../engines/native'
import { isFloats } from './floats'
import { bytesOf, readNpyHeader, type NpyHeader } from './npy-header'
import { npyBlockAt, npyBlocks, type NpyBlock } from './npy-blocks'
import { npyValues } from './npy-values'

/** Values read at a time: few enough to stay in the processor's cache while they are sorted into columns. */
const blockValues = 1 << 17

/** In the order of Fortran, where each column of a block is read by itself. */
const fortranValues = 1 << 22

/** The columns of a NumPy array, without names; memory is bounded by a block. @throws LabError `csv.npy` */
export async function openNpy(handle: FileHandle, path: string): Promise<ColumnarTable> {
  const header = await readNpyHeader(handle, path)
  const { rows, columns, fortranOrder } = header
  const asTheyStand = isFloats(header) && loadCpuAddon().addon?.readFloatTable !== undefined
  const most = fortranOrder ? fortranValues : blockValues
  return {
    columns: Array.from({ length: columns }, () => ({ name: '', holds: 'numbers' })),
    leftOut: [],
    rows,
    warnings: [],
    ...(asTheyStand && { numberBytes: bytesOf(header.kind) }),
    groups: (part = { first: 0, count: rows }) => blocks(handle, path, most, part),
    groupAt: (row) => groupAt(handle, path, header, row),
  }
}

/** Rows read for one that is looked at. */
const rowsAround = 256

async function groupAt(
  handle: FileHandle,
  path: string,
  header: NpyHeader,
  row: number,
): Promise<LocatedGroup> {
  const block = await npyBlockAt(handle, path, header, row, rowsAround)
  const values = npyValues(block)
  const column = (index: number) =>
    Promise.resolve(cellsOf(block, values, index, new Float64Array(block.rows)))
  return { first: block.first, rows: block.rows, column }
}

async function* blocks(
  handle: FileHandle,
  path: string,
  most: number,
  part: RowPart,
): AsyncGenerator<ColumnarGroup> {
  let room = new Float64Array()
  for await (const block of npyBlocks(handle, path, most, part)) {
    if (room.length < block.rows) room = new Float64Array(block.rows)
    const values = npyValues(block)
    const numbers = room.subarray(0, block.rows)
    const column = (index: number) => Promise.resolve(cellsOf(block, values, index, numbers))
    yield { rows: block.rows, end: block.end, column }
  }
}

/** @param numbers (rows) where they are written */
function cellsOf(
  { header, rows }: NpyBlock,
  values: ReturnType<typeof npyValues>,
  column: number,
  numbers: Float64Array,
): ColumnCells {
  const [first, step] = header.fortranOrder ? [column * rows, 1] : [column, header.columns]
  // Whole numbers of 64 bits have a loop of their own, so that all others do not wait for them.
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    for (let row = 0, at = first; row < rows; row++, at += step) numbers[row] = Number(values[at])
  } else for (let row = 0, at = first; row < rows; row++, at += step) numbers[row] = values[at]
  return {
    rows,
    numbers,
    exact: () => ({ values, first, step, missing: null }),
    textAt: (row) => String(values[first + row * step]),
  }
}
