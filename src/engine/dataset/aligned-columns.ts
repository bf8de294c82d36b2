import { bytesOf, rowParts, summed } from '../processes/collective'
import type { HeldPart, RowPart } from '../engines/engine'
import type { RunProcesses } from '../processes/run-processes'
import type { Slices } from '../slices'
import type { NumericColumn } from './dataset'
import { NumberBlocks } from './number-blocks'

/** Values taken between two looks at the clock. */
const valuesAtOnce = 1 << 16

/** Columns of the points of this process. */
export interface AlignedColumns {
  /** Of all processes. */
  readonly n: number
  readonly part: HeldPart
  readonly columns: readonly NumericColumn[]
}

/**
 * Where rows are left out, points of one process lie at the borders of blocks only after some went to others: as float64, column
 * by column, mostly to the neighbours.
 * @param columns of the rows that this process read @param kept those of them that are points, ascending
 */
export async function alignColumns(
  columns: readonly NumericColumn[],
  kept: Uint32Array,
  processes: RunProcesses,
  slices: Slices,
): Promise<AlignedColumns> {
  const { rank, size } = processes
  const counts = await summed(
    processes,
    Array.from({ length: size }, (_, each) => (each === rank ? kept.length : 0)),
  )
  const begin = counts.slice(0, rank).reduce((sum, count) => sum + count, 0)
  const n = counts.reduce((sum, count) => sum + count, 0)
  const parts = rowParts(n, size)
  const aligned: NumericColumn[] = []
  for (const column of columns) {
    const values = await taken(column, kept, slices)
    const from = await processes.exchange(parts.map((part) => bytesOf(ofPart(values, begin, part))))
    aligned.push(columnOf(from))
  }
  return { n, part: { ...parts[rank], processes }, columns: aligned }
}

async function taken(column: NumericColumn, rows: Uint32Array, slices: Slices): Promise<Float64Array> {
  const values = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    values[i] = column.at(rows[i])
    if (i % valuesAtOnce === valuesAtOnce - 1) await slices.next()
  }
  return values
}

/** Those of the values, of points from `begin` on, that belong to a part. */
function ofPart(values: Float64Array, begin: number, { first, count }: RowPart): Float64Array {
  const at = (point: number) => Math.min(values.length, Math.max(0, point - begin))
  return values.subarray(at(first), at(first + count))
}

function columnOf(from: readonly Uint8Array[]): NumericColumn {
  const blocks = new NumberBlocks()
  for (const { buffer } of from) {
    const values = new Float64Array(buffer as ArrayBuffer)
    blocks.pushAll(values, 0, 1, values.length)
  }
  return blocks.finish()
}

/** The dataset rows of points `first` to `first + count - 1`. @param leftOut rows that are no points, ascending */
export function rowsOfPoints(leftOut: Uint32Array, { first, count }: RowPart): Uint32Array {
  const rows = new Uint32Array(count)
  let skipped = 0
  for (let point = first, i = 0; i < count; point++, i++) {
    while (skipped < leftOut.length && leftOut[skipped] <= point + skipped) skipped++
    rows[i] = point + skipped
  }
  return rows
}
