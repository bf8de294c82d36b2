import type { PreparationChoice } from './run-config'

/** Which points are projected: those a run with this configuration would cluster. */
export interface ProjectionSource extends Omit<PreparationChoice, 'precision'> {
  readonly datasetId: string
}

/** At most this many principal components are offered as axes. */
export const maxComponents = 10

/** Principal components of prepared points (Pearson 1901): orthonormal directions of largest variance. */
export interface Projection {
  readonly id: string
  readonly n: number
  readonly d: number
  /** Share of the total variance of each component offered, descending; 0 for all when nothing varies. */
  readonly explained: readonly number[]
  /** score = `projection.values` * 2^exponent: 0 unless the scores would leave the range of float32. */
  readonly exponent: number
  /** Smallest and largest score of each component, in units of the scaled data. */
  readonly ranges: readonly { readonly min: number; readonly max: number }[]
  /**
   * From units of the file to scores: score[c] = sum over j of weights[c * d + j] * (value[j] - offset[j]).
   * Null under `unit-length`, which is not linear: centroids are then asked for by `run.trail`.
   */
  readonly map: { readonly offset: readonly number[]; readonly weights: readonly number[] } | null
}
