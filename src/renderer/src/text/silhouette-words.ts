/** Sentences of the silhouettes. */
import type { Silhouettes } from '@shared/silhouettes'
import { formatNumber, plural } from './numbers'
import { t } from '@/i18n'

/** Of which rows silhouettes are. */
export function silhouetteExtentWords({
  points,
  standardError,
}: Pick<Silhouettes, 'points' | 'standardError'>): string {
  return standardError === null
    ? t('profiles.exactOverEveryPairOf', [plural(points, 'row')])
    : t('profiles.fromASampleOfStandardError', [plural(points, 'row'), formatNumber(standardError)])
}
