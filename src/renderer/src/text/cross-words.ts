/** Clusters against known classes, as cells and sentences. */
import type { CrossTable } from '@shared/cross-table'
import { formatCount, formatShare, plural } from './numbers'
import { tsvText } from './tsv'
import { t } from '@/i18n'

export const crossShares = ['cluster', 'class'] as const
export type CrossShare = (typeof crossShares)[number]

/** More classes than this are not read side by side; the rarest are counted together. */
export const maxClasses = 40

export interface CrossCell {
  readonly count: number
  /** Of the row or of the column; null where that is empty. */
  readonly share: number | null
}

export interface CrossRow {
  readonly cluster: number
  readonly cells: readonly CrossCell[]
  /** Rows of the cluster that have a class. */
  readonly total: number
  readonly missing: number
}

export interface CrossView {
  /** Names of the columns; the last may stand for the rarest together. */
  readonly classes: readonly string[]
  readonly rows: readonly CrossRow[]
  readonly totals: readonly number[]
  readonly total: number
  readonly missing: number
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Counts by cluster and by column that is shown. */
function shownCounts({ categories, clusters, counts }: CrossTable): {
  readonly classes: readonly string[]
  readonly table: readonly (readonly number[])[]
} {
  const at = (cluster: number, category: number): number =>
    counts[cluster * categories.length + category] ?? 0
  const all = Array.from({ length: clusters }, (_, cluster) =>
    categories.map((_, category) => at(cluster, category)),
  )
  if (categories.length <= maxClasses) return { classes: categories, table: all }
  const totals = categories.map((_, category) => sum(all.map((row) => row[category] ?? 0)))
  const order = categories.map((_, category) => category).sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0))
  const kept = order.slice(0, maxClasses - 1).sort((a, b) => a - b)
  const others = order.slice(maxClasses - 1)
  return {
    classes: [
      ...kept.map((category) => categories[category] ?? ''),
      t('profiles.others', [formatCount(others.length)]),
    ],
    table: all.map((row) => [
      ...kept.map((category) => row[category] ?? 0),
      sum(others.map((category) => row[category] ?? 0)),
    ]),
  }
}

/** The table as it is shown, shares within clusters or within classes. Clusters without rows are left out. */
export function crossView(cross: CrossTable, share: CrossShare): CrossView {
  const { classes, table } = shownCounts(cross)
  const totals = classes.map((_, at) => sum(table.map((row) => row[at] ?? 0)))
  const rows = table.map((counts, cluster): CrossRow => {
    const total = sum(counts)
    const cells = counts.map((count, at): CrossCell => {
      const whole = share === 'cluster' ? total : (totals[at] ?? 0)
      return { count, share: whole > 0 ? count / whole : null }
    })
    return { cluster, cells, total, missing: cross.missing[cluster] ?? 0 }
  })
  const missing = sum(rows.map((row) => row.missing))
  return {
    classes,
    rows: rows.filter((row) => row.total + row.missing > 0),
    totals,
    total: cross.total,
    missing,
  }
}

/** `Cluster 0: mostly setosa, 50 of 50 rows (100.0 %)`. */
export function mostlySentence({ classes }: CrossView, { cells, total }: CrossRow, name: string): string {
  const most = cells.reduce((best, cell, at) => (cell.count > (cells[best]?.count ?? -1) ? at : best), 0)
  const count = cells[most]?.count ?? 0
  if (total === 0) return t('profiles.clusterNoRowHasAClass', [name])
  const share = formatShare(count / total)
  return t('profiles.clusterOf', [
    name,
    count * 2 > total ? t('profiles.mostly') : t('profiles.oftenest'),
    classes[most] ?? '',
    formatCount(count),
    plural(total, 'row'),
    share,
  ])
}

/** Counts for a spreadsheet. */
export function crossAsText(
  { classes, rows, totals, total }: CrossView,
  column: string,
  nameOf: (cluster: number) => string,
): string {
  const lines = rows.map(({ cluster, cells, total: own }) => [
    nameOf(cluster),
    ...cells.map(({ count }) => count),
    own,
  ])
  return tsvText([`cluster \\ ${column}`, ...classes, 'total'], [...lines, ['total', ...totals, total]])
}
