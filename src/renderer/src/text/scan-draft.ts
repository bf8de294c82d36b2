/** The settings of a scan as typed, and what is wrong with them, one sentence each. */
import {
  defaultScanIndices,
  defaultScanRestarts,
  maxScannedK,
  type ScanConfig,
  type ScanIndex,
} from '@shared/scan'
import type { RunConfig } from '@shared/run-config'
import { formatCount, plural } from './numbers'
import { parseNumber } from './validation'

export interface ScanDraft {
  kMin: string
  kMax: string
  restarts: string
  indices: readonly ScanIndex[]
  /** Every pair, however long it takes. */
  exact: boolean
}

export type ScanField = 'kMin' | 'kMax' | 'restarts'

export const newScanDraft = (): ScanDraft => ({
  ...{ kMin: '2', kMax: '10', restarts: String(defaultScanRestarts) },
  ...{ indices: defaultScanIndices, exact: false },
})

const maxRestarts = 1000

function wholeWithin(
  text: string,
  name: string,
  least: number,
  most: number,
  because: string,
): string | null {
  const value = parseNumber(text)
  if (value === null || !Number.isInteger(value)) return `${name} must be a whole number.`
  if (value < least) return `${name} must be at least ${formatCount(least)}.`
  return value > most ? `${name} must be at most ${formatCount(most)}${because}.` : null
}

/** @param rows of the dataset */
export function scanErrors(draft: ScanDraft, rows: number): Partial<Record<ScanField, string>> {
  const most = Math.min(maxScannedK, rows)
  const because = most < maxScannedK ? `: there are ${plural(rows, 'row')}` : ''
  const found: [ScanField, string | null][] = [
    ['kMin', wholeWithin(draft.kMin, 'The smallest k', 1, most, because)],
    ['kMax', wholeWithin(draft.kMax, 'The largest k', 1, most, because)],
    ['restarts', wholeWithin(draft.restarts, 'The number of restarts', 1, maxRestarts, '')],
  ]
  const errors = Object.fromEntries(found.filter(([, sentence]) => sentence !== null)) as Partial<
    Record<ScanField, string>
  >
  const [from, to] = [parseNumber(draft.kMin), parseNumber(draft.kMax)]
  if (Object.keys(errors).length === 0 && from !== null && to !== null && from > to)
    return { kMax: `The largest k must be at least ${formatCount(from)}, the smallest.` }
  return errors
}

/** What is asked of the engine; the draft must be valid. */
export function scanConfigOf(draft: ScanDraft, run: RunConfig): ScanConfig {
  const number = (text: string): number => parseNumber(text) ?? 0
  return {
    ...{ run, kMin: number(draft.kMin), kMax: number(draft.kMax), restarts: number(draft.restarts) },
    ...{ indices: [...draft.indices], silhouette: draft.exact ? 'exact' : 'auto' },
  }
}
