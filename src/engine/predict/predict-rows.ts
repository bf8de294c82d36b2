import type { Prediction, PredictedCluster, PredictedFeature } from '@shared/prediction'
import { clusterTotals, type ClusterTotals } from '../cluster-totals'
import { hashed, type Dataset } from '../dataset/dataset'
import type { LabelledData } from '../export/labelled-data'
import { columnsByName, type FeatureSource } from './columns-by-name'
import type { KeptRun } from '../run-file/kept-run'
import { keptPoints, type KeptPoints } from './kept-points'
import { keptCentroids, nearestKept } from './nearest-kept'
import { predictionWarnings } from './warnings'

/** Rows of a file with their clusters: what is told of them, and what `assignments.csv` is written of. */
export interface PredictedRows {
  readonly prediction: Prediction
  readonly labelled: LabelledData
}

/**
 * Assigns the rows of a file to the centroids of a kept clustering, with its scaling and policy for missing cells;
 * its filter is not applied. Columns are found by name. Cost O(n k d).
 * @throws LabError `predict.*`, `prepare.*`, `one-hot.*`, `cancelled`
 */
export async function predictRows(
  dataset: Dataset,
  kept: KeptRun,
  signal: AbortSignal,
): Promise<PredictedRows> {
  const sources = columnsByName(dataset, kept)
  const points = await keptPoints(dataset, kept, sources, signal)
  const centroids = keptCentroids(kept)
  const labels = await nearestKept(points, centroids, signal)
  const totals = (await clusterTotals(points, labels, centroids, signal)) ?? noTotals(kept.results.k)
  const { exponent } = kept.preparation
  const { x, n, d, rows } = points
  return {
    prediction: summary(await hashed(dataset), kept, sources, points, totals),
    labelled: { dataset, labels, centroids, points: { x, n, d, rows, exponent } },
  }
}

function noTotals(k: number): ClusterTotals {
  return { sizes: new Float64Array(k), inertias: new Float64Array(k) }
}

function summary(
  dataset: Dataset,
  kept: KeptRun,
  sources: readonly FeatureSource[],
  points: KeptPoints,
  totals: ClusterTotals,
): Prediction {
  const { n, d, droppedRows, filledCells } = points
  const { k } = kept.results
  const clusters = clusterRows(kept, points, totals)
  const features = sources.map(({ feature }, j) => featureRow(feature, points, j))
  const sums = (rows: readonly (number | null)[]) => rows.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  const inertia = sums(Array.from(totals.inertias)) * 4 ** kept.preparation.exponent
  const trained = sums(kept.results.clusters.map((cluster) => cluster.inertia))
  const figures = {
    file: dataset.file,
    ...{ n, d, k, droppedRows, filledCells },
    leftOutRecords: dataset.leftOutRecords.length,
    clusters,
    distance: rootMeanSquare(inertia, n),
    trainingDistance: rootMeanSquare(trained, kept.results.n),
    features,
  }
  return { ...figures, warnings: predictionWarnings(figures, dataset, kept, sources) }
}

function clusterRows(
  { results, preparation }: KeptRun,
  { n }: KeptPoints,
  { sizes, inertias }: ClusterTotals,
): PredictedCluster[] {
  const scale = 4 ** preparation.exponent
  return results.clusters.map(({ cluster, size, inertia }) => ({
    cluster,
    size: sizes[cluster],
    share: n === 0 ? 0 : sizes[cluster] / n,
    trainingShare: results.n === 0 ? 0 : size / results.n,
    distance: rootMeanSquare(inertias[cluster] * scale, sizes[cluster]),
    trainingDistance: rootMeanSquare(inertia ?? 0, size),
  }))
}

function featureRow(
  { name, range }: FeatureSource['feature'],
  { below, above, missing }: KeptPoints,
  j: number,
): PredictedFeature {
  return { name, range, below: below[j], above: above[j], missing: missing[j] }
}

function rootMeanSquare(sum: number, count: number): number | null {
  return count === 0 ? null : Math.sqrt(sum / count)
}
