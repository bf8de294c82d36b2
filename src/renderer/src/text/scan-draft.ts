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
import { parseNumber } from './numbers'
import { t } from '@/i18n'

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
  if (value === null || !Number.isInteger(value)) return t('scan.mustBeAWholeNumber', [name])
  if (value < least) return t('scan.mustBeAtLeast', [name, formatCount(least)])
  return value > most ? t('scan.mustBeAtMost', [name, formatCount(most), because]) : null
}

/** @param rows of the dataset */
export function scanErrors(draft: ScanDraft, rows: number): Partial<Record<ScanField, string>> {
  const most = Math.min(maxScannedK, rows)
  const because = most < maxScannedK ? t('scan.thereAre', [plural(rows, 'row')]) : ''
  const found: [ScanField, string | null][] = [
    ['kMin', wholeWithin(draft.kMin, t('scan.theSmallestK'), 1, most, because)],
    ['kMax', wholeWithin(draft.kMax, t('scan.theLargestK'), 1, most, because)],
    ['restarts', wholeWithin(draft.restarts, t('scan.theNumberOfRestarts'), 1, maxRestarts, '')],
  ]
  const errors = Object.fromEntries(found.filter(([, sentence]) => sentence !== null)) as Partial<
    Record<ScanField, string>
  >
  const [from, to] = [parseNumber(draft.kMin), parseNumber(draft.kMax)]
  if (Object.keys(errors).length === 0 && from !== null && to !== null && from > to)
    return { kMax: t('scan.theLargestKMustBeAt', [formatCount(from)]) }
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
