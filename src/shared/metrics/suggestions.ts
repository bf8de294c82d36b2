import type { ScannedK, ScanRestart, ScanSuggestions } from '../scan'
import { gapRule } from './gap-statistic'
import { kneeOf } from './knee'

/** What each rule says of the k that are finished; ties to the smaller k. @param rows ascending in k */
export function suggestionsOf(rows: readonly ScannedK[]): ScanSuggestions {
  const best = rows.map(bestRestart)
  return {
    knee: kneeOf(
      rows.map(({ k }) => k),
      best.map(({ inertia }) => inertia),
    ),
    silhouette: argMax(rows, ({ silhouette }) => silhouette?.mean ?? null),
    calinskiHarabasz: argMax(rows, (row) => bestRestart(row).calinskiHarabasz),
    daviesBouldin: argMax(rows, (row) => negative(bestRestart(row).daviesBouldin)),
    gap: gapRule(rows),
  }
}

/** The restart of the smallest inertia. */
export function bestRestart({ restarts, best }: ScannedK): ScanRestart {
  return restarts[best]
}

function negative(value: number | null): number | null {
  return value === null ? null : -value
}

function argMax(rows: readonly ScannedK[], valueOf: (row: ScannedK) => number | null): number | null {
  let found: { readonly k: number; readonly value: number } | null = null
  for (const row of rows) {
    const value = valueOf(row)
    if (value !== null && (found === null || value > found.value)) found = { k: row.k, value }
  }
  return found?.k ?? null
}
