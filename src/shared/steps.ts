/** One pair of a folder of steps: `step-<i>-points.csv` and `step-<i>-centroids.csv`. */
export interface StepPair {
  /** The i of the file names. */
  readonly iteration: number
  readonly points: number
  readonly clusters: readonly number[]
  /** (clusters, features), units of the file. */
  readonly centroids: readonly (readonly number[])[]
}

/** A folder of step pairs as it was opened; the points stay in the engine host. */
export interface StepsFolder {
  readonly id: string
  readonly name: string
  readonly features: readonly string[]
  /** Smallest and largest value of each feature over the points of all steps, units of the file. */
  readonly ranges: readonly { readonly min: number; readonly max: number }[]
  /** Ascending by iteration. */
  readonly steps: readonly StepPair[]
}
