import type { RecordedFeature } from './run-record'

/** Statistics of some rows by feature, in units of the file, float64; NaN where there is no row. */
export interface FeatureStatistics {
  readonly mean: Float64Array
  /** With n - 1; NaN below two rows. */
  readonly sd: Float64Array
  readonly min: Float64Array
  /** Quartiles interpolate linearly between the ranks, as NumPy's and R's (type 7) do. */
  readonly q25: Float64Array
  readonly median: Float64Array
  readonly q75: Float64Array
  readonly max: Float64Array
}

/** What the clusters are, feature by feature: each array (clusters, d), row-major. */
export interface ClusterProfiles extends FeatureStatistics {
  /** Mean of the cluster less the mean of the rest, over the standard deviation of the rest; NaN where that is 0 or none. */
  readonly z: Float64Array
  /**
   * Standardised difference from the rest (Cohen's d): difference of the means over the root of the mean of the two
   * variances; 0 where nothing differs, infinite where neither side varies and the means differ.
   */
  readonly difference: Float64Array
}

/** Clusters `start` to `start + count - 1` of a result beside the whole. */
export interface Profile {
  readonly features: readonly RecordedFeature[]
  /** Of all clustered rows, (d). */
  readonly whole: FeatureStatistics
  readonly start: number
  readonly count: number
  readonly clusters: ClusterProfiles
  /** (count) */
  readonly sizes: Float64Array
  /** (count, d) features by the magnitude of `difference`, the largest first: those that set a cluster apart. */
  readonly ranked: Int32Array
  /** (count) the cluster whose centroid is nearest, -1 for none, and the distance of the two, units of the scaled data. */
  readonly nearest: Int32Array
  readonly nearestDistance: Float64Array
}
