import { LabError } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import type { Dataset } from '../dataset/dataset'
import { machineFacts } from '../machine'
import { readAgain } from '../run/clustering'
import { assembleRecord } from '../run/record'
import type { RunResult } from '../run/types'
import type { FinishedK, ScanPoints } from './scan'

interface Takeover extends ScanPoints {
  readonly dataset: Dataset
  readonly config: RunConfig
  readonly k: number
  /** Null where this k is not finished. */
  readonly kept: FinishedK['clustering'] | null
}

/** Makes a run of a k that was scanned: its labels are those of its centroids. @throws LabError `scan.unfinished`, `cancelled` */
export async function takeOver(
  { dataset, config, k, kept, points, features }: Takeover,
  signal: AbortSignal,
): Promise<RunResult> {
  if (kept === null) throw unfinished(k)
  const startedAt = new Date().toISOString()
  const { best, resolved } = kept
  const labels = await readAgain({ points, config, resolved }, best.centroids, signal)
  const clustering = { ...kept, best: { ...best, labels } }
  const machine = await machineFacts(resolved.engine.id)
  const parts = { dataset, config, features, points, clustering, machine, startedAt, warnings: [] }
  const record = await assembleRecord(parts, signal)
  const { centroids, initialCentroids } = best
  return { record, dataset, points, labels, centroids, initialCentroids, centroidHistory: [] }
}

function unfinished(k: number): LabError {
  return new LabError(
    'input',
    'scan.unfinished',
    `The scan has no finished clustering of k = ${k}: wait for it, or resume the scan.`,
  )
}
