import * as v from 'valibot'
import { bulkChunkBytes } from '@shared/ipc'
import { maxCopiedRows, maxTableRows, type TableRequests } from '@shared/table'
import { rowFilter, rowNumbers } from '../dataset/row-filter-schema'
import { id } from '../run/run-config-schema'
import { bulkCount, index, type SchemaFor } from './schema-parts'

const bound = v.nullable(v.pipe(v.number(), v.finite()))
const range = v.nullable(v.strictObject({ least: bound, most: bound }))
const maxBulk = bulkChunkBytes / Uint32Array.BYTES_PER_ELEMENT

const rowList = (most: number) =>
  v.pipe(
    v.custom<Uint32Array>((rows) => rows instanceof Uint32Array, 'a list of rows'),
    v.check((rows) => rows.length <= most, `at most ${most} rows`),
    v.check(isAscending, 'ascending rows'),
  )

function isAscending(rows: Uint32Array): boolean {
  for (let i = 1; i < rows.length; i++) if (rows[i] <= rows[i - 1]) return false
  return true
}

const key = v.variant('by', [
  v.strictObject({ by: v.picklist(['row', 'cluster', 'distance', 'silhouette']) }),
  v.strictObject({ by: v.literal('column'), column: index }),
])

const filter = v.strictObject({
  clusters: v.nullable(
    v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(-1))), v.maxLength(100_000)),
  ),
  distance: range,
  silhouette: range,
  columns: v.nullable(rowFilter),
  picked: v.nullable(rowNumbers),
})

/** What may be asked of tables. */
export const tableSchemas: { readonly [K in keyof TableRequests]: SchemaFor<TableRequests[K]['params']> } = {
  'table.open': v.strictObject({
    datasetId: id,
    runId: v.nullable(id),
    sort: v.nullable(v.strictObject({ key, descending: v.boolean() })),
    filter,
  }),
  'table.rows': v.strictObject({
    tableId: id,
    start: index,
    count: v.pipe(index, v.maxValue(maxTableRows)),
    columns: v.strictObject({ first: index, end: index }),
  }),
  'table.row-indices': v.strictObject({
    tableId: id,
    start: index,
    count: bulkCount,
  }),
  'table.position': v.strictObject({ tableId: id, row: index }),
  'table.text': v.strictObject({ tableId: id, rows: rowList(maxCopiedRows) }),
  'table.close': v.strictObject({ tableId: id }),
  'dataset.row-numbers': v.strictObject({ datasetId: id, rows: rowList(maxBulk) }),
}
