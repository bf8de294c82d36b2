/** Which features set a cluster apart, and how a difference is said: of the window, of reports, of whoever asks. */
import { localNumber, t } from './locale/translate'

/** Features that are named of a cluster. */
const maxNamed = 3
/** Below this a standardised difference is small (Cohen 1988): it sets no cluster apart. */
export const smallDifference = 0.2

/** @param ranked features of a cluster by the magnitude of their difference, the largest first */
export function setApart<T extends { readonly difference: number }>(ranked: readonly T[]): readonly T[] {
  return ranked.slice(0, maxNamed).filter(({ difference }) => Math.abs(difference) >= smallDifference)
}

/** `4.1 sd lower`; where neither side varies: `lower, no overlap`. */
export function apartWords(difference: number): string {
  const way = difference < 0 ? t('common.lower') : t('common.higher')
  return Number.isFinite(difference)
    ? t('common.sdApart', [localNumber(Math.abs(difference).toFixed(1)), way])
    : t('common.noOverlap', [way])
}
