import type { RunConfig } from './run-config'
import type { VariantId } from './variant'

/** The one variant whose number of workers can be chosen: CudaModule3's. */
export const workersVariant: VariantId = 'partial-sums'

/** As the study has it. */
export const defaultWorkers = 512

/** Each keeps a sum of every coordinate and cluster. */
export const maxWorkers = 65_536

/** What is wanted of a variant; null: the usual number, or the variant has none. */
export function workersFor(
  { workers }: Partial<Pick<RunConfig, 'workers'>>,
  variant: VariantId,
): number | null {
  return variant === workersVariant ? (workers ?? null) : null
}

/** How many worked on n points; null for a variant without workers. */
export function workersThatRan(
  config: Partial<Pick<RunConfig, 'workers'>>,
  variant: VariantId,
  n: number,
): number | null {
  return variant === workersVariant ? Math.min(workersFor(config, variant) ?? defaultWorkers, n) : null
}
