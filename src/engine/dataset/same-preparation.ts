import { precisionOf } from '@shared/precision'
import type { Preparation } from './prepared'

/** Do two preparations make the same points of a dataset? */
export function samePreparation(a: Preparation, b: Preparation): boolean {
  const alike = a.missing === b.missing && a.scaling === b.scaling && precisionOf(a) === precisionOf(b)
  return alike && a.features.length === b.features.length && a.features.every((at, j) => at === b.features[j])
}
