/** What the repeats of one cell come to; null where it is not defined for their number. */
export interface Statistics {
  readonly count: number
  readonly mean: number | null
  readonly median: number | null
  /** Of the sample: divided by count - 1, so null for fewer than two. */
  readonly deviation: number | null
  readonly min: number | null
  readonly max: number | null
}

/** Arrays of times are never changed, and asked about again whenever a table is made anew. */
const known = new WeakMap<readonly number[], Statistics>()

/** Mean, median, standard deviation of the sample, minimum and maximum; values in any order. */
export function statisticsOf(values: readonly number[]): Statistics {
  const found = known.get(values) ?? computed(values)
  known.set(values, found)
  return found
}

function computed(values: readonly number[]): Statistics {
  const count = values.length
  if (count === 0) return { count, mean: null, median: null, deviation: null, min: null, max: null }
  const mean = meanOf(values)
  return {
    count,
    mean,
    median: medianOf(values),
    deviation: count < 2 ? null : Math.sqrt(squaresAround(values, mean) / (count - 1)),
    min: values.reduce((least, value) => Math.min(least, value)),
    max: values.reduce((most, value) => Math.max(most, value)),
  }
}

/** The middle value, or the mean of the two in the middle; NaN for none. */
export function medianOf(values: readonly number[]): number {
  return medianOfAscending([...values].sort((a, b) => a - b))
}

/** As `medianOf`, for values in ascending order. */
export function medianOfAscending(ascending: ArrayLike<number>): number {
  const half = ascending.length >> 1
  return ascending.length % 2 === 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2
}

/** NaN for none. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** In a pass of its own behind the mean, so that times that are nearly alike keep their digits. */
function squaresAround(values: readonly number[], mean: number): number {
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}
