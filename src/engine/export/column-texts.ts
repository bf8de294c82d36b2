import type { ColumnCells, ExactNumbers } from '@engine/formats/column-cells'
import type { NativeCellColumn } from '@engine/engines/native'

/** A column of a block of rows, with what its cells are made of. */
export interface WrittenColumn {
  readonly cells: ColumnCells
  readonly exact: ExactNumbers | null
}

/** Rows `first` and so many behind it, for the addon. */
export function cellColumn({ cells, exact }: WrittenColumn, first: number, count: number): NativeCellColumn {
  if (exact === null) return encoded(Array.from({ length: count }, (_, i) => cells.textAt(first + i)))
  const { values, step, missing } = exact
  return {
    values,
    first: exact.first + first * step,
    step,
    missing: missing?.subarray(first, first + count) ?? null,
  }
}

/** Bytes that the cells of a column take at most, with their separators. */
export function maxBytes(column: NativeCellColumn, count: number): number {
  // As kernels/common/lines/number_text.hpp has it.
  const longestNumber = 25
  return 'texts' in column ? 2 * column.texts.length + 3 * count : (longestNumber + 1) * count
}

function encoded(cells: readonly string[]): NativeCellColumn {
  const ends = new Uint32Array(cells.length)
  const whole = Buffer.from(cells.join(''))
  let length = 0
  for (let i = 0; i < cells.length; i++) ends[i] = length += cells[i].length
  return whole.length === length ? { texts: whole, ends } : encodedOneByOne(cells, ends)
}

/** Of texts that are not all of ASCII. */
function encodedOneByOne(cells: readonly string[], ends: Uint32Array): NativeCellColumn {
  // Three bytes for a character, as JavaScript counts them, are the most.
  const texts = Buffer.allocUnsafe(cells.reduce((sum, cell) => sum + 3 * cell.length, 0))
  let length = 0
  for (let i = 0; i < cells.length; i++) ends[i] = length += texts.write(cells[i], length)
  return { texts: texts.subarray(0, length), ends }
}
