import { centroidRow } from '../export/assignment'
import { runDocument, type RunDocument } from '../export/run-document'
import type { RunResult } from '../run/types'
import { keptRunFrom, type KeptRun } from './kept-run'

/** What run.json would keep of a result. */
export function keptRunOf(result: RunResult): KeptRun {
  return keptRunOfDocument(runDocument(result), result.centroids)
}

/**
 * The same of a run whose data are not at hand.
 * @param document what run.json says beside its tables @param centroids (k, d) engine units
 */
export function keptRunOfDocument(document: RunDocument, centroids: ArrayLike<number>): KeptRun {
  const { k } = document.results
  const rows = Array.from({ length: k }, (_, cluster) =>
    centroidRow(centroids, cluster, centroids.length / k),
  )
  return keptRunFrom({ ...document, engine_centroids: rows }, 'The result')
}
