/** The column that holds the cluster of a point or of a centroid. */
const clusterName = /^cluster(_\d+)?$/

/** How other programs name it. */
const otherName = /^(cluster|label|class|group|assign|membership)/i

/** Which column of a step file says the cluster, and which are features. */
export interface StepColumns {
  /** Index of the cluster column; -1 when the file has none. */
  readonly cluster: number
  /** Indices of the others. */
  readonly features: readonly number[]
}

type Sample = readonly (readonly string[])[]

/**
 * Points: the last column named `cluster` or `cluster_1`, else one of another such name, else the last one; the first
 * where that alone holds whole numbers.
 * @param sample first records of the file
 */
export function pointColumns(names: readonly string[], sample: Sample): StepColumns {
  const own = names.findLastIndex((name) => clusterName.test(name))
  const named = own < 0 ? names.findLastIndex((name) => otherName.test(name)) : own
  if (named >= 0) return split(names, named)
  return split(
    names,
    lastUnlessFirst(names, (index) => holdsWholeNumbers(sample, index)),
  )
}

/** Centroids: the first column of such a name that is no feature; a file of features alone numbers its rows. */
export function centroidColumns(names: readonly string[], features: readonly string[]): StepColumns {
  const isNamed = (name: string) => clusterName.test(name) || otherName.test(name)
  const named = names.findIndex((name) => isNamed(name) && !features.includes(name))
  if (named < 0 && names.length > features.length) return split(names, names.length - 1)
  return split(names, named)
}

/**
 * Centroids whose columns are known by their order alone: as many columns as there are features, in their order, or one more for the
 * cluster: the last, or the first where that alone holds distinct whole numbers.
 */
export function orderedCentroidColumns(
  names: readonly string[],
  features: readonly string[],
  sample: Sample,
): StepColumns {
  if (names.length <= features.length) return split(names, -1)
  const isNumbering = (index: number) =>
    holdsWholeNumbers(sample, index) && new Set(sample.map((cells) => cells[index])).size === sample.length
  return split(names, lastUnlessFirst(names, isNumbering))
}

function lastUnlessFirst(names: readonly string[], holds: (index: number) => boolean): number {
  const last = names.length - 1
  return !holds(last) && holds(0) ? 0 : last
}

/** Cluster numbers, which some programs write as 1.0. */
function holdsWholeNumbers(sample: Sample, index: number): boolean {
  return sample.every((cells) => /^\s*\d+([.,]0*)?\s*$/.test(cells[index] ?? ''))
}

function split(names: readonly string[], cluster: number): StepColumns {
  return { cluster, features: [...names.keys()].filter((index) => index !== cluster) }
}
