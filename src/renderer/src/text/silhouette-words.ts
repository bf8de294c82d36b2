/** Sentences of the silhouettes. */
import type { Silhouettes } from '@shared/silhouettes'
import { formatNumber, plural } from './numbers'

/** Of which rows silhouettes are. */
export function silhouetteExtentWords({
  points,
  standardError,
}: Pick<Silhouettes, 'points' | 'standardError'>): string {
  return standardError === null
    ? `Exact, over every pair of ${plural(points, 'row')}`
    : `From a sample of ${plural(points, 'row')}, standard error ${formatNumber(standardError)}`
}
