import type { CrossTable } from './cross-table'
import type { DistanceOutliers } from './outliers'
import type { Profile } from './profile'
import type { RunRecord } from './run-record'
import type { ScanConfig, ScanEvent, ScanRecord } from './scan'
import type { SilhouetteExtent, Silhouettes } from './silhouettes'
import type { TextChoice } from './text-choice'

/** Choosing k and judging clusters, answered by the engine host. Paths come from main alone. */
export interface QualityHostRequests {
  /** Starts a scan and answers at once; the rest comes as `scan.event`. One at a time on a dataset. */
  'scan.start': { params: { datasetId: string; config: ScanConfig }; result: { scanId: string } }
  /** Ends by the event `cancelled`; what is finished is kept. */
  'scan.cancel': { params: { scanId: string }; result: null }
  /** Goes on with what is missing, after `cancelled` or `failed`. */
  'scan.resume': { params: { scanId: string }; result: null }
  /** As far as it has come. */
  'scan.record': { params: { scanId: string }; result: ScanRecord }
  /** Scans made on a dataset since it was opened, the newest first. */
  'scan.list': { params: { datasetId: string }; result: readonly ScanRecord[] }
  /** Makes the best restart of a finished k a run of the session: `run.labels` and all others know its id. */
  'scan.take': { params: { scanId: string; k: number }; result: { runId: string; record: RunRecord } }
  'scan.forget': { params: { scanId: string }; result: null }
  /** `scan.csv` of what is finished. */
  'export.scan': {
    params: TextChoice & { scanId: string; path: string; replace: boolean }
    result: { path: string; bytes: number }
  }
  /** Progress by `run.quality-progress`. Some clusters beside the whole; may hold fewer clusters than asked for, so that no answer is too large. */
  'run.profile': { params: { runId: string; start: number; count: number }; result: Profile }
  'run.cancel-profile': { params: { runId: string }; result: null }
  /** Computed once and kept; progress by `run.quality-progress`. A newer request on the same run gives up an older one. */
  'run.silhouettes': { params: { runId: string; extent: SilhouetteExtent }; result: Silhouettes }
  'run.cancel-silhouettes': { params: { runId: string }; result: null }
  /** Silhouettes by dataset row as last computed; NaN for rows left out and those of no sample. At most bulkChunkBytes. */
  'run.silhouette-values': {
    params: { runId: string; start: number; count: number }
    result: { values: Float32Array }
  }
  /** With a column whose texts are kept (`dataset.categories`). */
  'run.cross-table': { params: { runId: string; column: number }; result: CrossTable }
  /** The farthest rows of all clusters or of one (`cluster`), at most `count` (at most `maxRowsAsked`). */
  'run.outliers': {
    params: { runId: string; cluster: number | null; count: number }
    result: DistanceOutliers
  }
  /**
   * Euclidean distance to the own centroid by dataset row, units of the scaled data; NaN for rows left out. At most
   * bulkChunkBytes.
   */
  'run.distances': {
    params: { runId: string; start: number; count: number }
    result: { values: Float32Array }
  }
}

/** What takes a while of a large result. */
export type QualityWork = 'profile' | 'silhouettes'

export interface QualityHostEvents {
  'scan.event': ScanEvent
  /** Share (0..1) that is done: of the pairs of `run.silhouettes`, of the features of `run.profile`. */
  'run.quality-progress': { readonly runId: string; readonly what: QualityWork; readonly share: number }
}

/** Answered by main. */
export interface QualityAppRequests {
  /** Save dialog, then `export.scan`; null when the person closed the dialog. */
  'app.export-scan': {
    params: TextChoice & { scanId: string }
    result: { path: string; bytes: number } | null
  }
}

/** Requests of the window that main passes on unchanged. */
export const forwardedQualityRequests = [
  'scan.start',
  'scan.cancel',
  'scan.resume',
  'scan.record',
  'scan.list',
  'scan.take',
  'scan.forget',
  'run.profile',
  'run.cancel-profile',
  'run.silhouettes',
  'run.cancel-silhouettes',
  'run.silhouette-values',
  'run.cross-table',
  'run.outliers',
  'run.distances',
] as const satisfies readonly (keyof QualityHostRequests)[]
