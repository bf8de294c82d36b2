/** The columns of the table of rows: what the clustering says, then those of the file. */
import type { ColumnInfo } from '@shared/dataset'
import type { TableKey, TableRow, TableSort } from '@shared/table'
import { t } from '@/i18n'

export interface TableColumn {
  readonly id: string
  readonly name: string
  readonly key: TableKey
  /** Pixels. */
  readonly width: number
  /** Read from the right. */
  readonly isNumber: boolean
}

export const ownColumns: Readonly<Record<'row' | 'cluster' | 'distance' | 'silhouette', TableColumn>> = {
  row: {
    id: 'row',
    get name() {
      return t('table.row')
    },
    key: { by: 'row' },
    width: 88,
    isNumber: true,
  },
  cluster: {
    id: 'cluster',
    get name() {
      return t('table.cluster')
    },
    key: { by: 'cluster' },
    width: 120,
    isNumber: false,
  },
  distance: {
    id: 'distance',
    get name() {
      return t('table.distance')
    },
    key: { by: 'distance' },
    width: 96,
    isNumber: true,
  },
  silhouette: {
    id: 'silhouette',
    get name() {
      return t('table.silhouette')
    },
    key: { by: 'silhouette' },
    width: 96,
    isNumber: true,
  },
}

/** Before the columns of the file. */
export function leadingColumns(isClustered: boolean, hasSilhouette: boolean): readonly TableColumn[] {
  const { row, cluster, distance, silhouette } = ownColumns
  return [row, ...(isClustered ? [cluster, distance] : []), ...(hasSilhouette ? [silhouette] : [])]
}

const widths = { least: 96, most: 144, ofCharacter: 7.5, beside: 32 } as const
const leftAligned = new Set<ColumnInfo['type']>(['categorical', 'text', 'date', 'constant'])

/** Identifiers such as `W03-0001` are texts. */
const isText = ({ type, notNumeric }: ColumnInfo): boolean =>
  leftAligned.has(type) || (type === 'identifier' && notNumeric > 0)

/** All as wide as their longest name takes, within bounds. */
export function fileColumns(columns: readonly ColumnInfo[]): readonly TableColumn[] {
  const longest = columns.reduce((most, { name }) => Math.max(most, name.length), 0)
  const wanted = Math.ceil(longest * widths.ofCharacter) + widths.beside
  const width = Math.max(widths.least, Math.min(widths.most, wanted))
  return columns.map((column) => ({
    id: `file-${column.index}`,
    name: column.name,
    key: { by: 'column', column: column.index },
    width,
    isNumber: !isText(column),
  }))
}

/** Of a column header. */
export function sortOf(column: TableColumn, sort: TableSort | null): 'ascending' | 'descending' | 'none' {
  if (sort === null || !sameKey(sort.key, column.key)) return 'none'
  return sort.descending ? 'descending' : 'ascending'
}

function sameKey(a: TableKey, b: TableKey): boolean {
  return a.by === 'column' && b.by === 'column' ? a.column === b.column : a.by === b.by
}

/** Digits behind the point, the same in every row: four significant ones of the largest. */
export function decimalsOf(rows: readonly (TableRow | undefined)[], key: TableKey): number {
  if (key.by === 'silhouette') return 4
  const largest = rows.reduce((most, row) => Math.max(most, (row && ownNumber(row, key)) ?? 0), 0)
  return largest > 0 ? Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(largest)))) : 3
}

/** The number that one of our own columns shows. */
export function ownNumber(row: TableRow, key: TableKey): number | null {
  return key.by === 'distance' ? row.distance : key.by === 'silhouette' ? row.silhouette : null
}
