import { invalidArgument } from './errors'
import type { EmptyPolicy, StopRule } from './run-config'
import { engineIds, type VariantId } from './variant'
import { t } from './locale/translate'

/** Variants that look at some of the points only: their centroids are not those of Lloyd's iterations. */
export const approximateVariants: readonly VariantId[] = ['mini-batch']

/** Variants whose results are the same bytes whatever carries them out (kernels/contract.md, "Canonical"), on every engine of ours. */
export const canonicalVariants: readonly VariantId[] = ['fused']
export const canonicalEngines: readonly string[] = engineIds

/** How close labels are to those of exact arithmetic (spec section 3); of an approximate variant the centroids are not. */
export const grades = ['canonical', 'bounded', 'approximate'] as const
export type Grade = (typeof grades)[number]

/** @param engine its name; of a program that is not ours any other */
export function gradeOf(variant: VariantId, engine: string): Grade {
  if (canonicalVariants.includes(variant) && canonicalEngines.includes(engine)) return 'canonical'
  return gradeBefore(variant)
}

/** Of a result that is kept without its grade, by an earlier version: none was canonical then. */
export function gradeBefore(variant: VariantId): Grade {
  return isApproximate(variant) ? 'approximate' : 'bounded'
}

export function isApproximate(variant: VariantId): boolean {
  return approximateVariants.includes(variant)
}

/** What needs all points in every iteration. */
const rulesOfAll: readonly StopRule[] = ['inertia', 'labels']
export const rulesOfApproximate = 'relative-shift, coordinate-shift or none'

/** Which setting an approximate variant has no answer to; null where there is none. */
export function unanswerable({
  variant,
  stop,
  empty,
}: {
  readonly variant: VariantId
  readonly stop: StopRule
  readonly empty: EmptyPolicy
}): 'stop' | 'empty' | null {
  if (!isApproximate(variant)) return null
  if (rulesOfAll.includes(stop)) return 'stop'
  return empty === 'farthest' ? 'empty' : null
}

/** @throws LabError `input` for a setting that an approximate variant has no answer to. */
export function assertAnswerable(config: Parameters<typeof unanswerable>[0]): void {
  const found = unanswerable(config)
  const why = t('common.withWhichLooksAtAFew', [config.variant])
  if (found === 'stop') throw invalidArgument(`${rulesOfApproximate} ${why}`, 'stop', config.stop)
  if (found === 'empty') throw invalidArgument(t('common.keepOrDrop', [why]), 'empty', config.empty)
}

/** Of a row of a comparison: why its time does not count. */
export const approximateSentence = (): string => t('common.approximateAnIterationLooksAtA')
