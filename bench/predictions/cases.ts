import type { RunShape, VariantId } from '@shared/variant'

/** Studied and own ways of the processor. */
export const variants: readonly VariantId[] = ['fused', 'sequential', 'openmp', 'eigen']

/** Rows from ten thousand to four million, few and many features and clusters, and what lies between. */
export const shapes: readonly RunShape[] = [
  { n: 10_000, d: 2, k: 3 },
  { n: 10_000, d: 16, k: 30 },
  { n: 10_000, d: 64, k: 300 },
  { n: 30_000, d: 4, k: 100 },
  { n: 100_000, d: 2, k: 10 },
  { n: 100_000, d: 8, k: 300 },
  { n: 100_000, d: 32, k: 8 },
  { n: 200_000, d: 64, k: 30 },
  { n: 300_000, d: 6, k: 12 },
  { n: 500_000, d: 3, k: 50 },
  { n: 500_000, d: 16, k: 20 },
  { n: 1_000_000, d: 2, k: 100 },
  { n: 1_000_000, d: 8, k: 10 },
  { n: 2_000_000, d: 4, k: 30 },
  { n: 4_000_000, d: 2, k: 3 },
  { n: 4_000_000, d: 8, k: 10 },
]
