/** A row far from its centroid. */
export interface DistanceOutlier {
  /** Of the dataset. */
  readonly row: number
  /** In the file, as error messages count. */
  readonly fileRow: number
  readonly cluster: number
  /** Euclidean, units of the scaled data. */
  readonly distance: number
  /** The distance over the cluster's median distance; null where that is 0. */
  readonly ratio: number | null
}

/** The distances of a cluster's rows to its centroid, units of the scaled data; NaN of an empty cluster. */
export interface DistanceSpread {
  readonly cluster: number
  readonly median: number
  /** Beyond the third quartile by three times the quartiles' distance a row is an outlier (Tukey's outer fence). */
  readonly fence: number
  readonly outliers: number
}

export interface DistanceOutliers {
  readonly total: number
  readonly clusters: readonly DistanceSpread[]
  /** The farthest beyond its fence first, by the distance over the fence; at most as many as asked for. */
  readonly rows: readonly DistanceOutlier[]
}
