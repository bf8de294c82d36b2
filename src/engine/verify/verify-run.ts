import type { RunVerification } from '@shared/verification'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from '../dataset/dataset'
import { runKmeans } from '../run/run-kmeans'
import type { RunObserver } from '../run/types'
import type { KeptRun } from '../run-file/kept-run'
import { configAgain, keptOverrides } from '../run-file/make-again'
import { compareRuns } from './compare-runs'

/** How far a verification is; `share` null where nobody can tell. */
export type ReportVerification = (stage: 'reading' | 'running', share: number | null) => void

/** Makes a kept run again on its data and says what the two have in common. @throws LabError as `runKmeans` */
export async function verifyOn(
  dataset: Dataset,
  kept: KeptRun,
  report: ReportVerification,
  signal: AbortSignal,
): Promise<RunVerification> {
  const config = configAgain(kept)
  const all = config.nInit * kept.results.iterations
  const observer: RunObserver = {
    phase: () => report('running', null),
    iterations: ({ restart, rows }) => {
      const done = restart * kept.results.iterations + (rows.at(-1)?.iteration ?? 0)
      report('running', Math.min(1, done / Math.max(1, all)))
    },
  }
  return compareRuns(kept, await runKmeans(dataset, config, observer, signal))
}

/** Reads the data file as it was read for a kept run. @throws LabError as `openDataset` */
export async function openKeptData(
  kept: KeptRun,
  path: string,
  report: ReportVerification,
  signal: AbortSignal,
): Promise<Dataset> {
  const overrides = await keptOverrides(kept, path)
  return openDataset(
    path,
    overrides,
    ({ bytes, totalBytes }) => report('reading', bytes / Math.max(1, totalBytes)),
    signal,
  )
}
