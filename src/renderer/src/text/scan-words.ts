/** What a scan says, in words: each rule by its name, never one verdict. */
import type { ScanConfig, ScanIndex, ScannedK, ScanRecord, ScanRestart, ScanSuggestions } from '@shared/scan'
import { formatNumber, plural } from './numbers'
import { t } from '@/i18n'

export const indexWords: Readonly<Record<ScanIndex, string>> = {
  get silhouette() {
    return t('scan.silhouette')
  },
  'calinski-harabasz': 'Calinski–Harabasz',
  'davies-bouldin': 'Davies–Bouldin',
  get gap() {
    return t('scan.gapStatistic')
  },
}

/** What each asks, for whoever does not know it. */
export const indexHints: Readonly<Record<ScanIndex | 'inertia', string>> = {
  get inertia() {
    return t('scan.sumOfSquaredDistancesToThe')
  },
  get silhouette() {
    return t('scan.howMuchNearerPointsAreTo')
  },
  get 'calinski-harabasz'() {
    return t('scan.spreadBetweenClustersOverSpreadWithin')
  },
  get 'davies-bouldin'() {
    return t('scan.howAlikeEachClusterIsTo')
  },
  get gap() {
    return t('scan.howMuchSmallerTheInertiaIs')
  },
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
  if (index === 'gap') return t('scan.firstKWhoseGapIsWithin', [k])
  return t('scan.atK2', [t(index === 'davies-bouldin' ? 'scan.smallest' : 'scan.largest'), k, value])
}

function notFound(index: ScanIndex, rows: readonly ScannedK[]): string {
  const known = rows.some((row) => valueAt(row, index) !== null)
  if (!known) return t('scan.notKnownForTheseK')
  return t('scan.noKInTheRangeMeets')
}

function kneeWords({ rows, suggestions }: Pick<ScanRecord, 'rows' | 'suggestions'>): string {
  if (suggestions.knee !== null) return t('scan.kneeAtK', [suggestions.knee])
  return rows.length < 3 ? t('scan.needsThreeValuesOfK') : t('scan.fallsWithoutAKnee')
}

/** Every rule that was asked for beside the others, in one order. */
export function suggestionsInWords(
  record: Pick<ScanRecord, 'rows' | 'suggestions' | 'config'>,
): readonly Suggestion[] {
  const { rows, suggestions, config } = record
  const inertia: Suggestion = { rule: t('scan.inertia'), k: suggestions.knee, says: kneeWords(record) }
  const others = ruled
    .filter(([index]) => config.indices.includes(index))
    .map(([index, key]): Suggestion => {
      const k = suggestions[key]
      const value = formatNumber(
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
  const all = suggestions.flatMap(({ k }) => k ?? [])
  const named = [...new Set(all)].sort((a, b) => a - b)
  const rules = all.length
  const [only] = named
  if (only === undefined) return ''
  if (named.length === 1) {
    return rules === 1 ? t('scan.oneRuleNamesAK', [only]) : t('scan.allRulesThatNameAK', [rules, only])
  }
  const words = named.map((k) => {
    const times = all.filter((one) => one === k).length
    return times === 1 ? String(k) : t('scan.kNamedBySome', [k, times, rules])
  })
  const list = t('scan.and', [words.slice(0, -1).join(', '), words.at(-1) ?? ''])
  return t('scan.theRulesNameEachAsksSomething', [list])
}

/** `every pair`, `a sample of 20 000 rows`. */
export function silhouetteWords({ silhouette }: ScannedK): string {
  if (!silhouette) return ''
  const { standardError, points } = silhouette
  if (standardError === null) return t('scan.overEveryPairOf', [plural(points, 'row')])
  return t('scan.ofASampleOfStandardError', [plural(points, 'row'), formatNumber(standardError)])
}

/** `k = 2 to 10, 10 restarts each`. */
export function rangeWords({ kMin, kMax, restarts }: Pick<ScanConfig, 'kMin' | 'kMax' | 'restarts'>): string {
  const range = kMin === kMax ? `k = ${kMin}` : t('scan.kTo', [kMin, kMax])
  return `${range}, ${plural(restarts, 'restart')}${kMin === kMax ? '' : t('scan.each')}`
}
