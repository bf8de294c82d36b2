import type { FileHandle } from 'node:fs/promises'
import type { ColumnarFormat } from '@shared/dataset'
import type { Dataset } from '../dataset/dataset'
import { openColumnar } from '../formats/columnar'
import type { ColumnarTable, ColumnCells, LocatedGroup } from '../formats/column-cells'
import type { Slices } from '../slices'
import type { Cells, ColumnRange } from './row-cells'

/** Cells of groups that were decoded and are kept. */
const maxKeptCells = 1 << 23
const maxKeptGroups = 64

interface KeptGroup extends LocatedGroup {
  readonly decoded: Map<number, Promise<ColumnCells>>
}

/**
 * Cells of rows out of a file that has columns of its own. Groups that were decoded last are kept; what is held of the
 * dataset and has the same text (numbers without a form of their own) is not decoded at all.
 */
export class ColumnarCells {
  readonly #dataset: Dataset
  readonly #table: ColumnarTable
  /** The one used last at the end. */
  #groups: KeptGroup[] = []
  /** By column: whether the text of a cell is that of the number held; known once a group was decoded. */
  readonly #isHeld = new Map<number, boolean>()

  private constructor(dataset: Dataset, table: ColumnarTable) {
    this.#dataset = dataset
    this.#table = table
  }

  static async open(dataset: Dataset, format: ColumnarFormat, handle: FileHandle): Promise<ColumnarCells> {
    return new ColumnarCells(dataset, await openColumnar(format, handle, dataset.file.path))
  }

  async of(
    rows: readonly number[],
    { first, end }: ColumnRange,
    slices: Slices,
  ): Promise<(Cells | null)[]> {
    const answers = rows.map(() => new Array<string | null>(end - first).fill(null))
    const inOrder = rows.map((row, at) => ({ row, at })).sort((a, b) => a.row - b.row)
    for (const { row, at } of inOrder) {
      if (row >= this.#table.rows) continue
      for (let column = first; column < end; column++)
        answers[at][column - first] = this.#held(row, column) ?? (await this.#read(row, column))
      await slices.next()
    }
    return answers.map((cells, i) => (rows[i] < this.#table.rows ? cells : null))
  }

  /** The text of a number that is held; null where the file has to be asked. */
  #held(row: number, column: number): string | null {
    if (this.#isHeld.get(column) !== true) return null
    const value = this.#dataset.numeric[column]?.at(row) ?? NaN
    return Number.isNaN(value) ? null : String(value)
  }

  async #read(row: number, column: number): Promise<string> {
    const group = await this.#groupOf(row)
    let reading = group.decoded.get(column)
    if (reading === undefined) {
      reading = group.column(column)
      group.decoded.set(column, reading)
      reading.catch(() => group.decoded.delete(column))
    }
    const cells = await reading
    if (!this.#isHeld.has(column)) this.#isHeld.set(column, this.#isPlain(column, cells))
    return cells.textAt(row - group.first)
  }

  /** 64-bit whole numbers may have more digits than are held. */
  #isPlain(column: number, cells: ColumnCells): boolean {
    if (this.#dataset.numeric[column] === undefined) return false
    const values = cells.exact()?.values
    return values !== undefined && !(values instanceof BigInt64Array) && !(values instanceof BigUint64Array)
  }

  async #groupOf(row: number): Promise<KeptGroup> {
    const isIn = ({ first, rows }: LocatedGroup) => row >= first && row < first + rows
    const known = this.#groups.find(isIn)
    const group = known ?? { ...(await this.#table.groupAt(row)), decoded: new Map() }
    this.#groups = [...this.#groups.filter((one) => one !== group), group]
    this.#makeRoom()
    return group
  }

  #makeRoom(): void {
    const sizeOf = ({ rows, decoded }: KeptGroup) => rows * Math.max(1, decoded.size)
    let kept = this.#groups.reduce((sum, group) => sum + sizeOf(group), 0)
    while ((kept > maxKeptCells || this.#groups.length > maxKeptGroups) && this.#groups.length > 1) {
      const [oldest] = this.#groups.splice(0, 1)
      kept -= sizeOf(oldest)
    }
  }
}
