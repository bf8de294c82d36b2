/** The columns of the cluster table: how they are called, sorted and copied. */
import type { ClusterRow, RunRecord } from '@shared/run-record'
import type { ClusterLooks } from '@/plots/palette'
import { formatCount, formatNumber, formatShare } from '@/text/numbers'
import { tsvInSlices, type TsvCell } from '@/text/tsv'

/** A number is the position of a feature. */
export type SortKey = 'cluster' | 'name' | 'size' | 'inertia' | number

export interface Sorting {
  readonly key: SortKey
  readonly descending: boolean
}

export interface LeadingColumn {
  readonly key: SortKey
  readonly word: string
  readonly title: string
  /** The widest of its texts: a hidden cell with it keeps the column as wide, whatever rows are in sight. */
  readonly widest: string
}

/** Room of a feature's column. */
export const featurePixels = 84
const widest = (texts: readonly string[]): string =>
  texts.reduce((most, text) => (text.length > most.length ? text : most), '')

/** The columns before the centroids; wide enough for every row, so that nothing moves while it is scrolled. */
export function leadingColumns(
  { clusters, n }: RunRecord,
  looks: ClusterLooks,
  named: boolean,
): readonly LeadingColumn[] {
  const names = [...looks.values()].map(({ name = '' }) => name)
  const sizes = clusters.map(({ size }) => formatCount(size))
  const shares = clusters.map(({ size }) => formatShare(size / n))
  const inertias = clusters.map(({ inertia }) => formatNumber(inertia))
  const column = (key: SortKey, word: string, title: string, texts: readonly string[]): LeadingColumn => {
    return { key, word, title, widest: widest(texts) }
  }
  return [
    column('cluster', '#', 'Cluster number', [String(clusters.at(-1)?.cluster ?? 0)]),
    ...(named ? [column('name', 'name', 'Name given to the cluster', names)] : []),
    column('size', 'size', 'Points in the cluster', sizes),
    column('size', 'share', 'Share of all points', shares),
    column('inertia', 'inertia', 'Sum of squared distances, units of the scaled data', inertias),
  ]
}

function compareBy(key: SortKey, looks: ClusterLooks, a: ClusterRow, b: ClusterRow): number {
  if (key === 'name') {
    // Clusters without a name come after all names.
    const [nameA, nameB] = [looks.get(a.cluster)?.name, looks.get(b.cluster)?.name]
    if (nameA === undefined || nameB === undefined)
      return Number(nameA === undefined) - Number(nameB === undefined)
    return nameA.localeCompare(nameB, undefined, { numeric: true })
  }
  if (typeof key !== 'number') return a[key] - b[key]
  const [valueA, valueB] = [a.centroid?.[key] ?? -Infinity, b.centroid?.[key] ?? -Infinity]
  return valueA === valueB ? 0 : valueA - valueB
}

/** Sorted rows; equal ones stay in the order of their numbers. */
export function sortedClusters(
  clusters: readonly ClusterRow[],
  { key, descending }: Sorting,
  looks: ClusterLooks,
): readonly ClusterRow[] {
  const sign = descending ? -1 : 1
  return [...clusters].sort((a, b) => sign * compareBy(key, looks, a, b) || a.cluster - b.cluster)
}

/** The whole table for the clipboard, in the order shown; a dropped cluster has no centroid. */
export function clustersAsText(
  record: RunRecord,
  rows: readonly ClusterRow[],
  looks: ClusterLooks,
  named: boolean,
): Promise<string> {
  const header = [
    'cluster',
    ...(named ? ['name'] : []),
    'size',
    'share',
    'inertia',
    ...record.features.map(({ name }) => name),
  ]
  const blank = record.features.map(() => null)
  const cellsOf = ({ cluster, size, inertia, centroid }: ClusterRow): readonly TsvCell[] => [
    cluster,
    ...(named ? [looks.get(cluster)?.name ?? null] : []),
    ...(centroid ? [size, size / record.n, inertia, ...centroid] : ['dropped', null, null, ...blank]),
  ]
  return tsvInSlices(header, rows.length, (index) => {
    const row = rows[index]
    return row ? cellsOf(row) : []
  })
}
