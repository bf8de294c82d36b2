/** What a scan says, in words: each rule by its name, never one verdict. */
import type { ScanConfig, ScanIndex, ScannedK, ScanRecord, ScanRestart, ScanSuggestions } from '@shared/scan'
import { formatNumber, formatPlain, plural } from './numbers'

export const indexWords: Readonly<Record<ScanIndex, string>> = {
  silhouette: 'Silhouette',
  'calinski-harabasz': 'Calinski–Harabasz',
  'davies-bouldin': 'Davies–Bouldin',
  gap: 'Gap statistic',
}

/** What each asks, for whoever does not know it. */
export const indexHints: Readonly<Record<ScanIndex | 'inertia', string>> = {
  inertia:
    'Sum of squared distances to the centroids. It always falls with k; a knee is where more clusters gain little.',
  silhouette:
    'How much nearer points are to their own cluster than to the next one, −1 to 1. Larger is better.',
  'calinski-harabasz': 'Spread between clusters over spread within them. Larger is better.',
  'davies-bouldin': 'How alike each cluster is to the one most like it. Smaller is better.',
  gap: 'How much smaller the inertia is than on data without clusters. Ten references for each k: it takes longer.',
}

export const bestRestartOf = ({ restarts, best }: ScannedK): ScanRestart | undefined => restarts[best]

/** What a rule says, for a table of rules. */
export interface Suggestion {
  readonly rule: string
  /** Null where the rule finds none. */
  readonly k: number | null
  /** `is largest at k = 2 (0.681)`. */
  readonly says: string
}

type Ruled = readonly [index: ScanIndex, key: Exclude<keyof ScanSuggestions, 'knee'>]

const ruled: readonly Ruled[] = [
  ['silhouette', 'silhouette'],
  ['calinski-harabasz', 'calinskiHarabasz'],
  ['davies-bouldin', 'daviesBouldin'],
  ['gap', 'gap'],
]

function valueAt(row: ScannedK | undefined, index: ScanIndex): number | null {
  if (!row) return null
  const best = bestRestartOf(row)
  if (index === 'silhouette') return row.silhouette?.mean ?? null
  if (index === 'gap') return row.gap?.gap ?? null
  return (index === 'calinski-harabasz' ? best?.calinskiHarabasz : best?.daviesBouldin) ?? null
}

function rulePhrase(index: ScanIndex, k: number, value: string): string {
  if (index === 'gap') return `first k whose gap is within one standard error of the next: ${k}`
  return `${index === 'davies-bouldin' ? 'smallest' : 'largest'} at k = ${k} (${value})`
}

function notFound(index: ScanIndex, rows: readonly ScannedK[]): string {
  const known = rows.some((row) => valueAt(row, index) !== null)
  if (!known) return 'not known for these k'
  return 'no k in the range meets the rule'
}

function kneeWords({ rows, suggestions }: Pick<ScanRecord, 'rows' | 'suggestions'>): string {
  if (suggestions.knee !== null) return `knee at k = ${suggestions.knee}`
  return rows.length < 3 ? 'needs three values of k' : 'falls without a knee'
}

/** Every rule that was asked for beside the others, in one order. */
export function suggestionsInWords(
  record: Pick<ScanRecord, 'rows' | 'suggestions' | 'config'>,
): readonly Suggestion[] {
  const { rows, suggestions, config } = record
  const inertia: Suggestion = { rule: 'Inertia', k: suggestions.knee, says: kneeWords(record) }
  const others = ruled
    .filter(([index]) => config.indices.includes(index))
    .map(([index, key]): Suggestion => {
      const k = suggestions[key]
      const value = formatPlain(
        valueAt(
          rows.find((row) => row.k === k),
          index,
        ),
      )
      return {
        rule: indexWords[index],
        k,
        says: k === null ? notFound(index, rows) : rulePhrase(index, k, value),
      }
    })
  return [inertia, ...others]
}

/** How far the rules agree, in one sentence; empty where none has spoken. */
export function agreementSentence(suggestions: readonly Suggestion[]): string {
  const named = [...new Set(suggestions.flatMap(({ k }) => k ?? []))].sort((a, b) => a - b)
  const rules = suggestions.filter(({ k }) => k !== null).length
  const [only] = named
  if (only === undefined) return ''
  if (named.length === 1) {
    return rules === 1 ? `One rule names a k: ${only}.` : `All ${rules} rules that name a k name ${only}.`
  }
  const list = `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`
  return `The rules name ${list}: each asks something else. Look at what the clusters are with each.`
}

/** `every pair`, `a sample of 20 000 rows`. */
export function silhouetteWords({ silhouette }: ScannedK): string {
  if (!silhouette) return ''
  const { standardError, points } = silhouette
  if (standardError === null) return `over every pair of ${plural(points, 'row')}`
  return `of a sample of ${plural(points, 'row')}, standard error ${formatNumber(standardError)}`
}

/** `k = 2 to 10, 10 restarts each`. */
export function rangeWords({ kMin, kMax, restarts }: Pick<ScanConfig, 'kMin' | 'kMax' | 'restarts'>): string {
  const range = kMin === kMax ? `k = ${kMin}` : `k = ${kMin} to ${kMax}`
  return `${range}, ${plural(restarts, 'restart')}${kMin === kMax ? '' : ' each'}`
}
