import { histogram } from '@engine/dataset/histogram'
import { invalidArgument } from '@shared/errors'
import type { HostHandlers, HostParams } from '../protocol'
import type { HostStore } from '../store'

type DataViewHandlers = Pick<HostHandlers, 'dataset.histogram'>

/** What the window shows of a dataset itself, apart from any run. */
export function dataViewHandlers(store: HostStore): DataViewHandlers {
  return {
    'dataset.histogram': (params) => histogramOf(store, params),
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
