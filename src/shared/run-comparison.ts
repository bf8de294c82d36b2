/** A cluster of run a and the cluster of run b it was matched with. */
export interface ClusterPair {
  readonly a: number
  /** Null where the other run has no cluster left for it. */
  readonly b: number | null
  /** Points of the cluster in its own run. */
  readonly sizeA: number
  readonly sizeB: number
  /** Rows in both. */
  readonly shared: number
  /** Euclidean distance of the two centroids in `units` of the comparison, over the features both runs have; null without b. */
  readonly centroidDistance: number | null
  /** The coordinate that differs most in those units, and its difference (b less a) in units of the file. */
  readonly largestDifference: { readonly feature: string; readonly difference: number } | null
}

/**
 * In what distances of centroids are measured: units of the file where neither run scaled, or a scaling cannot be undone; the scaled
 * units of both, where they are the same; else those of run a.
 */
export type ComparisonUnits = 'file' | 'scaled' | 'scaled-as-a'

/** Two results compared on the rows that both of them clustered. */
export interface RunComparison {
  readonly rows: number
  /** Share of the rows in matched clusters (assignment that maximises it; Kuhn 1955). Beyond 1024 clusters approximated. */
  readonly agreement: number
  /** Hubert and Arabie 1985: 1 for the same partition, about 0 for unrelated ones; null below two rows in common. */
  readonly adjustedRand: number | null
  /** Features both runs used. */
  readonly features: readonly string[]
  readonly pairs: readonly ClusterPair[]
  readonly units: ComparisonUnits
}
