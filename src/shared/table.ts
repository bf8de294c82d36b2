/** The rows of a file as the window's table shows them: sorted, filtered, a few at a time. */
import type { RowFilter } from './row-filter/row-filter'

/** What rows can be sorted by; `column` is the index of a column of the file. */
export type TableKey =
  | { readonly by: 'row' | 'cluster' | 'distance' | 'silhouette' }
  | { readonly by: 'column'; readonly column: number }

/** Rows that are equal in the key keep the order of the file; missing cells come last in either direction. */
export interface TableSort {
  readonly key: TableKey
  readonly descending: boolean
}

/** Both ends included; null for no bound. */
export interface ValueRange {
  readonly least: number | null
  readonly most: number | null
}

/** Which rows are in the table: those of which all of this holds. */
export interface TableFilter {
  /** Of these clusters; -1 stands for rows that were left out of the clustering. Null: of any. */
  readonly clusters: readonly number[] | null
  /** A row without a value is in no range. */
  readonly distance: ValueRange | null
  readonly silhouette: ValueRange | null
  readonly columns: RowFilter | null
  /** Rows picked in a plot, as `rowRanges` writes their numbers in the file; null: any. */
  readonly picked: string | null
}

export const wholeTable: TableFilter = {
  clusters: null,
  distance: null,
  silhouette: null,
  columns: null,
  picked: null,
}

/** What a table is made of. `runId`: whose clusters and distances it has; null for none. */
export interface TableChoice {
  readonly datasetId: string
  readonly runId: string | null
  readonly sort: TableSort | null
  readonly filter: TableFilter
}

export interface TableFacts {
  readonly tableId: string
  /** Rows in it. */
  readonly rows: number
  /** Silhouettes of the rows of this run are known. */
  readonly hasSilhouette: boolean
}

/** One row of a table. */
export interface TableRow {
  /** 0-based row of the dataset. */
  readonly row: number
  /** Its number in the file, as messages count. */
  readonly fileRow: number
  /** -1 where the row was left out, or there is no run. */
  readonly cluster: number
  /** To the centroid of its cluster, in units of the scaled data; null where there is none. */
  readonly distance: number | null
  readonly silhouette: number | null
  /** As they stand in the file, of the columns asked for; null where the file has no such cell. */
  readonly cells: readonly (string | null)[]
}

/** Most rows, and most cells, of one answer. */
export const maxTableRows = 500
export const maxTableCells = 20_000

/** Most rows that are copied as text at once. */
export const maxCopiedRows = 100_000

/** Answered by the engine host. */
export interface TableRequests {
  /** Makes a table; of one dataset the newest two are kept, and an older request that is under way is cancelled. */
  'table.open': { params: TableChoice; result: TableFacts }
  /**
   * Rows at positions start..start+count-1, with the cells of columns first..end-1 (indices of the file's columns). At most
   * `maxTableRows` and `maxTableCells`.
   */
  'table.rows': {
    params: { tableId: string; start: number; count: number; columns: { first: number; end: number } }
    result: readonly TableRow[]
  }
  /** Which rows of the dataset stand there. At most bulkChunkBytes. */
  'table.row-indices': {
    params: { tableId: string; start: number; count: number }
    result: { rows: Uint32Array }
  }
  /** Position of a row of the dataset; -1 where the filter leaves it out. */
  'table.position': { params: { tableId: string; row: number }; result: { position: number } }
  /**
   * Rows of the dataset as text, tabs between cells, in the order of the table, under a line of names; those that are not in it are
   * left out. At most `maxCopiedRows`.
   */
  'table.text': { params: { tableId: string; rows: Uint32Array }; result: { text: string; rows: number } }
  'table.close': { params: { tableId: string }; result: null }
  /** Numbers of rows in the file, as `rowRanges` writes them. @param rows ascending rows of the dataset, at most bulkChunkBytes */
  'dataset.row-numbers': { params: { datasetId: string; rows: Uint32Array }; result: { numbers: string } }
}

export const tableRequests = [
  'table.open',
  'table.rows',
  'table.row-indices',
  'table.position',
  'table.text',
  'table.close',
  'dataset.row-numbers',
] as const satisfies readonly (keyof TableRequests)[]
