import type { Dialect } from '@shared/dataset'
import { tableReader } from './reader'
import { detectNewline, UnclosedQuote } from './table-reader'

export type Records = readonly (readonly string[])[]

const sampledRecords = 200

/**
 * Records of the first block under a dialect, blank lines left out. The last, perhaps cut off, counts only when
 * the file ends with it; behind a quote that is never closed there is nothing to go by.
 */
export function sampleRecords(sample: string, whole: boolean, dialect: Dialect): Records {
  const read = (last: boolean) => tableReader(dialect, detectNewline(sample)).push(sample, last)
  return (whole ? readWhole(read) : read(false)).filter(isRecord).slice(0, sampledRecords)
}

function readWhole(read: (last: boolean) => Records): Records {
  try {
    return read(true)
  } catch (thrown) {
    if (thrown instanceof UnclosedQuote) return read(false)
    throw thrown
  }
}

function isRecord(cells: readonly string[]): boolean {
  return cells.length > 1 || cells[0].trim() !== ''
}

/** The commonest number of cells, the larger one of two as common, and the share of records that have it. */
export function commonWidth(records: Records): { readonly width: number; readonly share: number } {
  const counts = new Map<number, number>()
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width, count] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]).at(0) ?? [1, 0]
  return { width, share: count / Math.max(1, records.length) }
}
