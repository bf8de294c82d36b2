/** Rows of a comparison, whatever the order in which they came. */
import type { BenchmarkDocument, CellKey, Measurement } from '@shared/benchmark/document'

/** Unique in a document. */
export const cellId = ({ dataset, k, contender }: CellKey): string => JSON.stringify([dataset, k, contender])

/** The rows of a document with others added or put in the place of older ones, in the order of the plan. */
export function withRows(
  { plan, rows }: Pick<BenchmarkDocument, 'plan' | 'rows'>,
  more: readonly Measurement[],
): readonly Measurement[] {
  if (more.length === 0) return rows
  const known = new Map([...rows, ...more].map((row) => [cellId(row), row]))
  const planned = plan.flatMap((cell) => known.get(cellId(cell)) ?? [])
  // A document that was asked for before it was planned has no order yet.
  const inOrder = new Set(planned)
  const others = [...known.values()].filter((row) => !inOrder.has(row))
  return [...planned, ...others]
}
