import { centroidRow } from '../export/assignment'
import { runDocument } from '../export/run-document'
import type { RunResult } from '../run/types'
import { keptRunFrom, type KeptRun } from './kept-run'

/** What run.json would keep of a result, but for its centroids: it is small, and outlives the data. */
export type KeptModel = Omit<KeptRun, 'engine_centroids'>

export function keptModelOf(result: RunResult): KeptModel {
  const { engine_centroids: _own, ...model } = keptRunOf(result)
  return model
}

/** What run.json would keep of a result. */
export function keptRunOf(result: RunResult): KeptRun {
  const rows = centroidRows(result.centroids, result.record.k)
  return keptRunFrom({ ...runDocument(result), engine_centroids: rows }, 'The result')
}

/** @param centroids (k, d) engine units */
export function withCentroids(model: KeptModel, centroids: ArrayLike<number>): KeptRun {
  return { ...model, engine_centroids: centroidRows(centroids, model.results.k) }
}

function centroidRows(centroids: ArrayLike<number>, k: number): (number[] | null)[] {
  return Array.from({ length: k }, (_, cluster) => centroidRow(centroids, cluster, centroids.length / k))
}
