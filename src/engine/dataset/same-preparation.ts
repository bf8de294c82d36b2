import type { Scaling } from '@shared/dataset'
import { precisionOf } from '@shared/precision'
import type { Preparation } from './prepared'

/** Do two preparations make the same points of a dataset? */
export function samePreparation(a: Preparation, b: Preparation): boolean {
  return (
    a.missing === b.missing &&
    precisionOf(a) === precisionOf(b) &&
    sameList(a.features, b.features) &&
    sameList(scalingsOf(a), scalingsOf(b)) &&
    JSON.stringify(a.indicators ?? []) === JSON.stringify(b.indicators ?? []) &&
    JSON.stringify(a.filter ?? null) === JSON.stringify(b.filter ?? null)
  )
}

/** How a feature is scaled: an indicator in its own way. */
export type FeatureScaling = Scaling | 'one-hot'

/** The scaling of each feature. */
export function scalingsOf(preparation: Preparation): FeatureScaling[] {
  const { features, scaling, columnScalings, indicators = [] } = preparation
  return [
    ...features.map((_, j) => columnScalings?.[j] ?? scaling),
    ...indicators.map(() => 'one-hot' as const),
  ]
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, j) => one === b[j])
}
