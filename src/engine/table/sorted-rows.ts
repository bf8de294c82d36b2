import { LabError } from '@shared/errors'
import type { TableSort } from '@shared/table'
import { assertNever } from '@shared/assert-never'
import { isMissingMark } from '../csv/number'
import { recordsAgain } from '../csv/records-again'
import { watchSource } from '../csv/source-guard'
import type { Dataset } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import { freeBytes, makeRoom, sizeOf, withinLimit } from '../memory'
import type { Slices } from '../slices'
import type { ClusteredRows } from './clustered-rows'
import { orderByNumber } from './number-order'
import { orderByText, ranksOf } from './text-order'

/** Of memory, for each row while it is sorted. */
const bytesOfNumber = 20
/** A text with what a string takes beside its characters. */
const bytesOfText = 80

/**
 * Rows in an order; null where that is the order of the file.
 * @param rows those that are sorted, ascending; null for all
 * @throws LabError `table.no-memory`, those of reading the file again for texts that are not kept, `cancelled`
 */
export async function sortedRows(
  dataset: Dataset,
  clustered: ClusteredRows | null,
  { rows, sort }: { readonly rows: Uint32Array | null; readonly sort: TableSort | null },
  slices: Slices,
  signal: AbortSignal,
): Promise<Uint32Array | null> {
  if (sort === null || (sort.key.by === 'row' && !sort.descending)) return rows
  const count = rows?.length ?? dataset.rows
  requireMemory(dataset, count * bytesOfNumber)
  const all = rows ?? Uint32Array.from({ length: count }, (_, row) => row)
  const { key, descending } = sort
  const byNumber = (valueOf: (row: number) => number) => orderByNumber(all, valueOf, descending, slices)
  switch (key.by) {
    case 'row':
      return all.toReversed()
    case 'cluster':
      return byNumber((row) => missingIfLess(clustered?.clusterOf(row)))
    case 'distance':
      return byNumber((row) => clustered?.distanceOf(row) ?? NaN)
    case 'silhouette':
      return byNumber((row) => clustered?.silhouetteOf(row) ?? NaN)
    case 'column':
      break
    default:
      return assertNever(key, 'key of a table')
  }
  const numbers = dataset.numeric[key.column]
  if (numbers !== undefined) return byNumber((row) => numbers.at(row))
  const texts = dataset.categories?.[key.column]
  if (texts !== undefined) {
    const ranks = ranksOf(texts.values)
    return byNumber((row) => (texts.at(row) < 0 ? NaN : ranks[texts.at(row)]))
  }
  requireMemory(dataset, count * bytesOfText)
  const cells = await textsAgain(dataset, key.column, all, signal)
  const order = await orderByText(cells, descending, slices)
  return order.map((at) => all[at])
}

/** Rows that were left out have no cluster. */
function missingIfLess(cluster: number | undefined): number {
  return cluster === undefined || cluster < 0 ? NaN : cluster
}

function requireMemory({ file }: Dataset, bytes: number): void {
  const free = freeBytes()
  if (bytes <= free) return
  const sentence = `Sorting the rows of ${file.name} takes ${sizeOf(bytes)} of memory, and ${sizeOf(free)} are free${withinLimit()}: filter the table first, or ${makeRoom()}.`
  throw new LabError('input', 'table.no-memory', sentence)
}

/** Texts of a column that are not kept, without blanks around them; null for missing cells. */
async function textsAgain(
  dataset: Dataset,
  column: number,
  rows: Uint32Array,
  signal: AbortSignal,
): Promise<(string | null)[]> {
  const guard = await watchSource(dataset, {
    area: 'dataset',
    whenChanged: 'open it again to sort by its texts',
    whenMissing: 'and its texts are read from there: put it back, or open another file',
  })
  const texts: (string | null)[] = []
  let wanted = rows.length > 0 ? fileRow(dataset, rows[0]) : Infinity
  for await (const records of recordsAgain(dataset, guard, signal)) {
    for (const { record, cells } of records) {
      if (record !== wanted) continue
      const text = cells[column]?.trim() ?? ''
      // The text read may be a piece of a whole block, which must not be kept for it.
      texts.push(isMissingMark(text) ? null : Buffer.from(text).toString())
      wanted = texts.length < rows.length ? fileRow(dataset, rows[texts.length]) : Infinity
    }
  }
  if (texts.length < rows.length) throw await guard.failure('the number of rows differs')
  return texts
}
