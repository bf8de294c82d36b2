import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import type { ColumnarFormat } from '@shared/dataset'
import type { RowPart } from '../engines/engine'
import type { ColumnarTable } from './column-cells'
import { openColumnar } from './columnar'

const folder = 'tests/formats/files'
const hasZstd = typeof zlib.zstdCompressSync === 'function'
const files = readdirSync(folder).filter(
  (name) => /\.(parquet|arrow|npy)$/.test(name) && (hasZstd || !/zstd|^kinds\.parquet/.test(name)),
)

/** Of each column its cells, as text, as numbers, and as they lie there. */
async function cellsOf(table: ColumnarTable, part?: RowPart): Promise<unknown[][]> {
  const found: unknown[][] = table.columns.map(() => [])
  for await (const { rows, column } of table.groups(part)) {
    for (const index of table.columns.keys()) {
      const { numbers, textAt, exact } = await column(index)
      const held = exact()
      for (let row = 0; row < rows; row++) {
        const value = held && held.values[held.first + row * held.step]
        found[index].push([textAt(row), numbers?.[row], value, held?.missing?.[row]])
      }
    }
  }
  return found
}

it.each(files)('%s has the same cells wherever its rows are cut', async (name) => {
  const handle = await open(join(folder, name), 'r')
  try {
    const format = name.split('.').at(-1) as ColumnarFormat
    const table = await openColumnar(format, handle, join(folder, name))
    const { rows } = table
    const all = await cellsOf(table)
    expect(all[0]).toHaveLength(rows)
    for (const cut of new Set([0, 1, Math.floor(rows / 3), Math.floor(rows / 2), rows - 1])) {
      const parts = [
        await cellsOf(table, { first: 0, count: cut }),
        await cellsOf(table, { first: cut, count: rows - cut }),
      ]
      expect(all.map((_, column) => parts.flatMap((part) => part[column]))).toEqual(all)
    }
  } finally {
    await handle.close()
  }
})
