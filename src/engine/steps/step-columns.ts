/** The column that holds the cluster of a point or of a centroid. */
const clusterName = /^cluster(_\d+)?$/

/** Which column of a step file says the cluster, and which are features. */
export interface StepColumns {
  /** Index of the cluster column; -1 when the file has none. */
  readonly cluster: number
  /** Indices of the others. */
  readonly features: readonly number[]
}

/** Points: the last column named `cluster` or `cluster_1`, else the last one. */
export function pointColumns(names: readonly string[]): StepColumns {
  const named = names.findLastIndex((name) => clusterName.test(name))
  return split(names, named < 0 ? names.length - 1 : named)
}

/** Centroids: the first column of such a name that is no feature; a file of features alone numbers its rows. */
export function centroidColumns(names: readonly string[], features: readonly string[]): StepColumns {
  const named = names.findIndex((name) => clusterName.test(name) && !features.includes(name))
  if (named < 0 && names.length > features.length) return split(names, names.length - 1)
  return split(names, named)
}

function split(names: readonly string[], cluster: number): StepColumns {
  return { cluster, features: [...names.keys()].filter((index) => index !== cluster) }
}
