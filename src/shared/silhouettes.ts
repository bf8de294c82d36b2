/** `auto`: over every pair where that is predicted to take under two seconds, else a sample; `exact`: always every pair. */
export const silhouetteExtents = ['auto', 'exact'] as const
export type SilhouetteExtent = (typeof silhouetteExtents)[number]

/** Points of a sampled silhouette. */
export const silhouetteSample = 20_000

/** A mean silhouette and how it was come by. */
export interface MeanSilhouette {
  /** -1..1. */
  readonly mean: number
  /** Of the mean, where it is that of a sample; null where it is exact. */
  readonly standardError: number | null
  /** Points it was computed over: all, or those of the sample. */
  readonly points: number
}

export interface ClusterSilhouette {
  readonly cluster: number
  /** Points of the cluster among those computed. */
  readonly size: number
  /** NaN where there are none. */
  readonly mean: number
}

/** Silhouettes of a clustering (Rousseeuw 1987), in units of the scaled data. */
export interface Silhouettes extends MeanSilhouette {
  readonly clusters: readonly ClusterSilhouette[]
}
