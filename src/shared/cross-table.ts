/** How often each cluster meets each text of a column. */
export interface CrossTable {
  /** Index in the dataset. */
  readonly column: number
  readonly name: string
  /** The texts, in the order of the file. */
  readonly categories: readonly string[]
  readonly clusters: number
  /** (clusters, categories) rows, row-major. */
  readonly counts: Float64Array
  /** (clusters) rows whose cell is empty: they count nowhere else. */
  readonly missing: Float64Array
  /** Clustered rows with a text. */
  readonly total: number
  /** Of those rows; null below two. Hubert and Arabie 1985. */
  readonly adjustedRand: number | null
  /** Normalised by the arithmetic mean of the entropies, as scikit-learn's; null where there is no row. */
  readonly mutualInformation: number | null
}
