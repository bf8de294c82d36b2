/** Cells of a comparison by their keys. Documents are replaced, never changed, so that what is known of their arrays is kept with them. */
import type { BenchmarkDocument, CellKey, Measurement } from './document'

const ids = new WeakMap<CellKey, string>()

/** Unique in a document. */
export function cellId(cell: CellKey): string {
  const known = ids.get(cell)
  if (known !== undefined) return known
  const { dataset, k, contender } = cell
  const id = JSON.stringify([dataset, k, contender])
  ids.set(cell, id)
  return id
}

/** Unique for a dataset with a k. */
export const workloadId = ({ dataset, k }: Pick<CellKey, 'dataset' | 'k'>): string =>
  JSON.stringify([dataset, k])

type Rows = readonly Measurement[]

const byCell = new WeakMap<Rows, ReadonlyMap<string, Measurement>>()
const byWorkload = new WeakMap<Rows, ReadonlyMap<string, Rows>>()

/** The row of each cell, by `cellId`. */
export function rowsByCell(rows: Rows): ReadonlyMap<string, Measurement> {
  const known = byCell.get(rows) ?? new Map(rows.map((row) => [cellId(row), row]))
  byCell.set(rows, known)
  return known
}

/** The rows of each dataset and k in their order, by `workloadId`. */
export function rowsByWorkload(rows: Rows): ReadonlyMap<string, Rows> {
  const known = byWorkload.get(rows) ?? grouped(rows)
  byWorkload.set(rows, known)
  return known
}

function grouped(rows: Rows): ReadonlyMap<string, Rows> {
  const workloads = new Map<string, Measurement[]>()
  for (const row of rows) {
    const id = workloadId(row)
    const found = workloads.get(id)
    if (found === undefined) workloads.set(id, [row])
    else found.push(row)
  }
  return workloads
}

/** The rows of a document with others added or put in the place of older ones, in the order of the plan. */
export function withRows({ plan, rows }: Pick<BenchmarkDocument, 'plan' | 'rows'>, more: Rows): Rows {
  if (more.length === 0) return rows
  const known = new Map([...rows, ...more].map((row) => [cellId(row), row]))
  const planned = plan.flatMap((cell) => known.get(cellId(cell)) ?? [])
  // A document that was asked for before it was planned has no order yet.
  const inOrder = new Set(planned)
  const others = [...known.values()].filter((row) => !inOrder.has(row))
  return [...planned, ...others]
}
