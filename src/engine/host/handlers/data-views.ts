import { histogram } from '@engine/dataset/histogram'
import { fileRow } from '@engine/dataset/file-row'
import { markFiltered } from '@engine/dataset/row-filter'
import { heldRows } from '@engine/dataset/rows'
import { countIncompleteRows } from '@engine/dataset/usable-rows'
import { Slices } from '@engine/slices'
import { invalidArgument } from '@shared/errors'
import { Newest } from '../newest'
import type { HostHandlers, HostParams } from '../protocol'
import type { HostStore } from '../store'

type DataViewHandlers = Pick<
  HostHandlers,
  `dataset.${'histogram' | 'incomplete-rows' | 'filtered-rows' | 'categories' | 'category-codes' | 'rows' | 'cells'}`
>

/** What the window shows of a dataset itself, apart from any run. */
export function dataViewHandlers(store: HostStore): DataViewHandlers {
  const reading = new Newest()
  return {
    'dataset.histogram': (params) => histogramOf(store, params),
    'dataset.incomplete-rows': ({ datasetId, features, filter }) =>
      countIncompleteRows(
        store.dataset(datasetId),
        features,
        filter,
        new Slices(store.untilClosed(datasetId)),
      ),
    'dataset.filtered-rows': async ({ datasetId, filter }) => {
      const slices = new Slices(store.untilClosed(datasetId))
      return (await markFiltered(store.dataset(datasetId), filter, slices)).count
    },
    'dataset.categories': ({ datasetId, column }) =>
      store.dataset(datasetId).categories?.[column]?.values ?? [],
    'dataset.category-codes': (params) => ({ codes: codesOf(store, params) }),
    'dataset.rows': ({ datasetId, rows }) =>
      heldRows(datasetWith(store, datasetId, rows), rows, store.untilClosed(datasetId)),
    'dataset.cells': ({ datasetId, rows }) => {
      const dataset = datasetWith(store, datasetId, rows)
      const all = { first: 0, end: dataset.columns.length }
      return reading.run(datasetId, store.untilClosed(datasetId), async (signal) => {
        const cells = await store.cellsOf(datasetId).of(rows, all, signal)
        return rows.map((row, i) => ({ row, fileRow: fileRow(dataset, row), cells: cells[i] }))
      })
    },
  }
}

async function histogramOf(store: HostStore, { datasetId, column, bins }: HostParams<'dataset.histogram'>) {
  const { columns, numeric } = store.dataset(datasetId)
  const values = numeric[column]
  const { min, max } = columns[column] ?? { min: null, max: null }
  if (values === undefined || min === null || max === null)
    throw invalidArgument('a numeric column', 'column of dataset.histogram', column)
  return await histogram(values, { min, max }, bins, store.untilClosed(datasetId))
}

/** At most a megabyte at a time: some milliseconds. */
function codesOf(store: HostStore, params: HostParams<'dataset.category-codes'>): Int32Array {
  const { datasetId, column, start, count } = params
  const { rows, categories } = store.dataset(datasetId)
  const held = categories?.[column]
  if (held === undefined)
    throw invalidArgument('a column whose texts are kept', 'column of dataset.category-codes', column)
  return Int32Array.from({ length: Math.max(0, Math.min(count, rows - start)) }, (_, at) =>
    held.at(start + at),
  )
}

function datasetWith(store: HostStore, datasetId: string, rows: readonly number[]) {
  const dataset = store.dataset(datasetId)
  const beyond = rows.find((row) => row >= dataset.rows)
  if (beyond === undefined) return dataset
  throw invalidArgument(`a row below ${dataset.rows}`, `a row of ${dataset.file.name}`, beyond)
}
