/** The table of a scan as text for a spreadsheet: a row for each finished k, full values. */
import type { ScanRecord } from '@shared/scan'
import { bestRestartOf } from './scan-words'
import { tsvText } from './tsv'

const header = [
  'k',
  'restarts',
  'inertia',
  'worst inertia',
  'silhouette',
  'silhouette standard error',
  'calinski-harabasz',
  'davies-bouldin',
  'gap',
  'gap standard error',
  'iterations',
  'seconds',
]

/** Indices that were not asked for are empty cells. */
export function scanAsText({ rows }: Pick<ScanRecord, 'rows'>): string {
  const cells = rows.map((row) => {
    const best = bestRestartOf(row)
    return [
      row.k,
      row.restarts.length,
      best?.inertia ?? null,
      Math.max(...row.restarts.map(({ inertia }) => inertia)),
      row.silhouette?.mean ?? null,
      row.silhouette?.standardError ?? null,
      best?.calinskiHarabasz ?? null,
      best?.daviesBouldin ?? null,
      row.gap?.gap ?? null,
      row.gap?.standardError ?? null,
      best?.iterations ?? null,
      row.restarts.reduce((sum, { seconds }) => sum + seconds, 0),
    ]
  })
  return tsvText(header, cells)
}
