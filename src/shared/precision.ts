import { contenderKey, type Contender } from './benchmark/suite'
import type { RunConfig } from './run-config'
import type { VariantId } from './variant'

/** What points, distances and centroids of a run are held in; sums are float64 in both. */
export const precisions = ['float32', 'float64'] as const
export type Precision = (typeof precisions)[number]

/** Variants of the CPU engine that can work in float64, as the study has them. */
export const float64Variants: readonly VariantId[] = ['sequential', 'eigen']

/** How sentences name them. */
export const float64VariantNames = float64Variants.join(' or ')

/** Only what has a kernel for it can be asked for. */
export function offersFloat64(variant: VariantId): boolean {
  return float64Variants.includes(variant)
}

/** Outside systems always do. */
export function worksInFloat64(contender: Contender): boolean {
  return contender.kind === 'outside' || (contender.engine === 'cpu' && offersFloat64(contender.variant))
}

/** The first of contenders that cannot work in float64 though they should. */
export function float32Contender(contenders: readonly Contender[], precision: Precision): string | null {
  if (precision === 'float32') return null
  const found = contenders.find((one) => !worksInFloat64(one))
  return found === undefined ? null : contenderKey(found)
}

/** What is expected of a comparison in float64, as sentences have it. */
export const float64Contenders = `only ${float64Variants.map((variant) => `cpu/${variant}`).join(', ')} and outside systems with precision float64 (all others work in float32)`

/** What a configuration asks for, also one of before there was a choice. */
export function precisionOf({ precision }: Partial<Pick<RunConfig, 'precision'>>): Precision {
  return precision ?? 'float32'
}
