/** Rows of an open table as they arrive, a block at a time; plain data, so that nothing watches each of them. */
import type { TableRow } from '@shared/table'
import { ask } from '@/api'

/** Rows and columns of a block. */
const blockRows = 100
const blockColumns = 100
const maxBlocks = 120
/** More would come when nobody looks at them any more. */
const maxUnderWay = 1

interface Wish {
  readonly key: string
  readonly start: number
  readonly first: number
}

export class TableBlocks {
  readonly #tableId: string
  readonly #columns: number
  readonly #arrived: () => void
  readonly #failed: (thrown: unknown) => void
  /** The one used last at the end. */
  readonly #blocks = new Map<string, readonly TableRow[]>()
  readonly #underWay = new Set<string>()
  #wishes: readonly Wish[] = []
  /** Blocks in sight. */
  #inSight = new Set<string>()
  #isClosed = false

  constructor(
    tableId: string,
    columns: number,
    arrived: () => void,
    failed: (thrown: unknown) => void,
  ) {
    this.#tableId = tableId
    this.#columns = columns
    this.#arrived = arrived
    this.#failed = failed
  }

  /** The row at a position, with cells from `firstCellOf(first)` on to `end` at least; undefined until it is there. */
  rowAt(position: number, first: number, end: number): TableRow | undefined {
    const row = this.#inBlock(position, first)
    const lastColumn = Math.max(first, end - 1)
    if (row === undefined || firstCellOf(first) === firstCellOf(lastColumn)) return row
    const next = this.#inBlock(position, lastColumn)
    return next && { ...row, cells: [...row.cells, ...next.cells] }
  }

  #inBlock(position: number, column: number): TableRow | undefined {
    const { key, start } = wishFor(position, column)
    return this.#blocks.get(key)?.[position - start]
  }

  /** What is in sight now: fetched, and nothing else that was wished for before. */
  want(first: number, end: number, columns: { readonly first: number; readonly end: number }): void {
    if (this.#isClosed) return
    const wishes: Wish[] = []
    const lastColumn = Math.max(columns.first, columns.end - 1)
    for (let row = first - (first % blockRows); row < end; row += blockRows)
      for (let at = firstCellOf(columns.first); at <= lastColumn; at += blockColumns)
        wishes.push(wishFor(row, at))
    this.#inSight = new Set(wishes.map(({ key }) => key))
    this.#wishes = wishes.filter(({ key }) => !this.#touch(key) && !this.#underWay.has(key))
    this.#fetch()
  }

  close(): void {
    this.#isClosed = true
    this.#wishes = []
    ask('table.close', { tableId: this.#tableId }).catch(() => null)
  }

  #touch(key: string): boolean {
    const known = this.#blocks.get(key)
    if (known === undefined) return false
    this.#blocks.delete(key)
    this.#blocks.set(key, known)
    return true
  }

  #fetch(): void {
    while (this.#underWay.size < maxUnderWay) {
      const [next, ...others] = this.#wishes
      if (next === undefined) return
      this.#wishes = others
      void this.#take(next)
    }
  }

  async #take({ key, start, first }: Wish): Promise<void> {
    this.#underWay.add(key)
    try {
      const columns = { first, end: Math.min(this.#columns, first + blockColumns) }
      const rows = await ask('table.rows', { tableId: this.#tableId, start, count: blockRows, columns })
      if (this.#isClosed) return
      this.#blocks.set(key, rows)
      const oldest = this.#blocks.keys().next().value
      if (this.#blocks.size > maxBlocks && oldest !== undefined) this.#blocks.delete(oldest)
      if (this.#inSight.has(key)) this.#arrived()
    } catch (thrown) {
      if (!this.#isClosed) this.#failed(thrown)
    } finally {
      this.#underWay.delete(key)
      this.#fetch()
    }
  }
}

/** The first column of the block that holds one. */
export function firstCellOf(column: number): number {
  return column - (column % blockColumns)
}

function wishFor(position: number, column: number): Wish {
  const start = position - (position % blockRows)
  const first = firstCellOf(column)
  return { key: `${start}/${first}`, start, first }
}
