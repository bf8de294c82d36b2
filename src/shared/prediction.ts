import type { FileFacts } from './dataset'

/** Rows of a file that were given to the clusters of a kept clustering, and how they differ from its own. */
export interface Prediction {
  readonly file: FileFacts
  /** Rows that have a cluster. */
  readonly n: number
  readonly d: number
  readonly k: number
  /** Rows left out because a feature has no value there, and cells that the kept policy filled. */
  readonly droppedRows: number
  readonly filledCells: number
  /** Records of the file that are no rows: too long or too short. */
  readonly leftOutRecords: number
  readonly clusters: readonly PredictedCluster[]
  /** Root mean square of the distances to the centroids, units of the scaled data; null without rows. */
  readonly distance: number | null
  readonly trainingDistance: number | null
  readonly features: readonly PredictedFeature[]
  readonly warnings: readonly PredictionWarning[]
}

/** What whoever uses the labels should know, a sentence each, and what it is about. */
export interface PredictionWarning {
  readonly about: 'left-out' | 'texts' | 'range' | 'share' | 'distance'
  readonly says: string
}

/** Shares are of the rows with a cluster, 0 to 1; distances are root mean squares, null without rows. */
export interface PredictedCluster {
  readonly cluster: number
  readonly size: number
  readonly share: number
  readonly trainingShare: number
  readonly distance: number | null
  readonly trainingDistance: number | null
}

/** Values outside what the clustering has seen of a feature. */
export interface PredictedFeature {
  readonly name: string
  /** Range of the column in the file that was clustered, its units; null where it was not kept. */
  readonly range: readonly [min: number, max: number] | null
  readonly below: number
  readonly above: number
  /** Rows left out because it has no value there, each counted at the first such feature. */
  readonly missing: number
}
