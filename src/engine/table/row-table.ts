import type { TableFilter, TableRow, TableSort } from '@shared/table'
import { invalidArgument } from '@shared/errors'
import type { Dataset } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import { Slices } from '../slices'
import type { ClusteredRows } from './clustered-rows'
import { keptRows } from './kept-rows'
import type { ColumnRange, RowCells } from './row-cells'
import { sortedRows } from './sorted-rows'

/** What a table is made of. */
export interface TableParts {
  readonly dataset: Dataset
  readonly clustered: ClusteredRows | null
  readonly cells: RowCells
}

/** Rows of a dataset, filtered and sorted; holds 4 bytes a row, and none for a whole file in its own order. */
export class RowTable {
  readonly #parts: TableParts
  readonly #order: Uint32Array | null

  private constructor(parts: TableParts, order: Uint32Array | null) {
    this.#parts = parts
    this.#order = order
  }

  /** @throws LabError `filter.*`, `table.no-memory`, `cancelled`, those of reading the file again */
  static async make(
    parts: TableParts,
    { filter, sort }: { readonly filter: TableFilter; readonly sort: TableSort | null },
    signal: AbortSignal,
  ): Promise<RowTable> {
    const slices = new Slices(signal)
    const { dataset, clustered } = parts
    const rows = await keptRows(dataset, clustered, filter, slices)
    return new RowTable(parts, await sortedRows(dataset, clustered, { rows, sort }, slices, signal))
  }

  get length(): number {
    return this.#order?.length ?? this.#parts.dataset.rows
  }

  /** The row of the dataset at a position. */
  rowAt(position: number): number {
    return this.#order === null ? position : this.#order[position]
  }

  /** Positions start..start+count-1 as far as the table goes. */
  rowsAt(start: number, count: number): Uint32Array {
    const length = Math.max(0, Math.min(count, this.length - start))
    return Uint32Array.from({ length }, (_, i) => this.rowAt(start + i))
  }

  /** Where a row of the dataset stands; -1 where the filter leaves it out. */
  positionOf(row: number): number {
    if (this.#order === null) return row < this.length ? row : -1
    return this.#order.indexOf(row)
  }

  /** @throws LabError those of `RowCells` */
  async read(rows: ArrayLike<number>, columns: ColumnRange, signal: AbortSignal): Promise<TableRow[]> {
    const { dataset, clustered, cells } = this.#parts
    const wanted = Array.from(rows)
    const beyond = wanted.find((row) => row >= dataset.rows)
    if (beyond !== undefined) throw invalidArgument(`a row below ${dataset.rows}`, 'a row', beyond)
    const texts = await cells.of(wanted, columns, signal)
    return wanted.map((row, i) => ({
      row,
      fileRow: fileRow(dataset, row),
      cluster: clustered?.clusterOf(row) ?? -1,
      distance: known(clustered?.distanceOf(row)),
      silhouette: known(clustered?.silhouetteOf(row)),
      cells: texts[i],
    }))
  }

  /** Those of some rows that are in the table, in its order. @param rows ascending */
  inOrder(rows: Uint32Array): Uint32Array {
    const order = this.#order
    if (order === null) return rows.filter((row) => row < this.length)
    const wanted = new Set(rows)
    return order.filter((row) => wanted.has(row))
  }
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value
}
