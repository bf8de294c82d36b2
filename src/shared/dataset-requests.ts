import type { DatasetRow, DatasetSummary, Histogram, ImportOverrides, ImportPreview } from './dataset'
import type { Projection, ProjectionSource } from './projection'
import type { RowFilter } from './row-filter/row-filter'

/** What the engine host answers of files and of the datasets that they became. */
export interface DatasetHostRequests {
  'dataset.preview': { params: { path: string; overrides: ImportOverrides }; result: ImportPreview }
  /**
   * Progress by `dataset.progress`. `datasetId` is given by main alone, when it loads a file again for a host
   * that took the place of one that died.
   */
  'dataset.open': {
    params: { path: string; overrides: ImportOverrides; datasetId?: string }
    result: DatasetSummary
  }
  /** Of its file, as soon as that is hashed. */
  'dataset.sha256': { params: { datasetId: string }; result: string | null }
  'dataset.cancel-open': { params: { path: string }; result: null }
  'dataset.close': { params: { datasetId: string }; result: null }
  /** Values of a numeric column, file value = offset + values[i] * 2^exponent; NaN = missing. At most bulkChunkBytes. */
  'dataset.values': {
    params: { datasetId: string; column: number; start: number; count: number }
    result: { values: Float32Array; offset: number; exponent: number }
  }
  /** How the values of a numeric column lie; missing cells are not counted. */
  'dataset.histogram': { params: { datasetId: string; column: number; bins: number }; result: Histogram }
  /** How many rows miss a cell in at least one of these numeric columns, of those that a filter keeps. */
  'dataset.incomplete-rows': {
    params: { datasetId: string; features: readonly number[]; filter: RowFilter | null }
    result: number
  }
  /** How many rows a filter leaves out. */
  'dataset.filtered-rows': { params: { datasetId: string; filter: RowFilter }; result: number }
  /** The different texts of a column whose texts are kept, in the order of the file; none of any other column. */
  'dataset.categories': { params: { datasetId: string; column: number }; result: readonly string[] }
  /** By row: which of `dataset.categories` it has, -1 for a missing cell. At most bulkChunkBytes. */
  'dataset.category-codes': {
    params: { datasetId: string; column: number; start: number; count: number }
    result: { codes: Int32Array }
  }
  /** Numbers of some rows, from memory; text cells are null. At most `maxRowsAsked`. */
  'dataset.rows': { params: { datasetId: string; rows: readonly number[] }; result: readonly DatasetRow[] }
  /** The same with every cell as it stands in the file. */
  'dataset.cells': { params: { datasetId: string; rows: readonly number[] }; result: readonly DatasetRow[] }
  /** Principal components of the points that a configuration would cluster, after its scaling. */
  'projection.fit': { params: ProjectionSource; result: Projection }
  /**
   * Score of every row of the dataset on one component (0-based), times 2^-exponent of the projection; NaN for rows
   * left out. At most bulkChunkBytes.
   */
  'projection.values': {
    params: { projectionId: string; component: number; start: number; count: number }
    result: { values: Float32Array }
  }
  'projection.close': { params: { projectionId: string }; result: null }
}

/** Requests of the window that main passes on unchanged. */
export const forwardedDatasetRequests = [
  'dataset.close',
  'dataset.values',
  'dataset.histogram',
  'dataset.incomplete-rows',
  'dataset.filtered-rows',
  'dataset.categories',
  'dataset.category-codes',
  'dataset.rows',
  'dataset.cells',
  'projection.fit',
  'projection.values',
  'projection.close',
] as const satisfies readonly (keyof DatasetHostRequests)[]
