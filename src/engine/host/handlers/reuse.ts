import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Comparisons } from '@engine/benchmark/comparisons'
import type { TimingLock } from '@engine/benchmark/timing-lock'
import { columnTypesOf } from '@engine/csv/column-types'
import { openDataset } from '@engine/csv/open-dataset'
import { hashed, type Dataset } from '@engine/dataset/dataset'
import { pythonScript } from '@engine/export/python-script/python-script'
import { predictRows } from '@engine/predict/predict-rows'
import { findData } from '@engine/run-file/find-data'
import { keptTypes, readKeptRun, type KeptRun } from '@engine/run-file/kept-run'
import { openKeptData, verifyOn, type ReportVerification } from '@engine/verify/verify-run'
import { overridesOf } from '@shared/import-overrides'
import type { ReuseStage } from '@shared/reuse-requests'
import { RateLimit } from '@shared/throttle'
import { engineIds } from '@shared/variant'
import type { Predictions } from '../predictions'
import type { HostHandlers, HostParams, HostResult, SendEvent } from '../protocol'
import { SignalsByRun } from '../signals-by-run'
import type { HostStore } from '../store'
import { measuring } from './runs'

type ReuseHandlers = Pick<
  HostHandlers,
  `predict.${'rows' | 'close'}` | `verify.${'run' | 'describe' | 'file'}` | 'reuse.cancel' | 'run.python'
>

const progressMs = 100

/**
 * Results used again: rows of other files, runs that are made once more, code that makes them elsewhere.
 * @param timingLock work waits for a run that is being timed
 */
export function reuseHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  comparisons: Pick<Comparisons, 'isMeasuring'>,
  timingLock: Pick<TimingLock, 'shared'>,
  predictions: Predictions,
): ReuseHandlers {
  const tasks = new SignalsByRun()
  const during = <T>(taskId: string, work: (report: Report, signal: AbortSignal) => Promise<T>) => {
    const report = reporter((stage, share) => sendEvent('reuse.progress', { taskId, stage, share }))
    return tasks.during([taskId], (signal) => timingLock.shared(() => work(report, signal), signal))
  }
  return {
    'predict.rows': (params) =>
      during(params.taskId, (report, signal) => assign(store, predictions, params, report, signal)),
    'predict.close': ({ predictionId }) => {
      predictions.close(predictionId)
      return null
    },
    'verify.run': ({ taskId, runId, data }) => {
      if (comparisons.isMeasuring) throw measuring()
      return during(taskId, async (report, signal) => {
        const kept = await store.runs.keptRun(runId)
        const { path } = (await store.runs.facts(runId)).record.file
        const dataset =
          (await loaded(store, kept)) ?? (await opened(kept, [path, ...data], report, signal)).dataset
        const verification = await verifyOn(dataset, kept, report, signal)
        const { verdict, resultSha256 } = verification
        await store.runs.mark(runId, { verdict, resultSha256, at: new Date().toISOString() })
        return verification
      })
    },
    'verify.describe': async ({ path }) => factsOf(await readKeptRun(path), path),
    'verify.file': ({ taskId, path, data }) => {
      if (comparisons.isMeasuring) throw measuring()
      return during(taskId, async (report, signal) => {
        const kept = await readKeptRun(path)
        const { dataset, path: dataPath } = await opened(kept, data, report, signal)
        return { dataPath, verification: await verifyOn(dataset, kept, report, signal) }
      })
    },
    'reuse.cancel': ({ taskId }) => {
      tasks.abort(taskId)
      return null
    },
    'run.python': async ({ runId }) => ({ text: pythonScript(await store.runs.result(runId)) }),
  }
}

type Report = (stage: ReuseStage, share: number | null) => void

/** Not too often, but each stage as it begins. */
function reporter(send: Report): Report {
  const limit = new RateLimit(progressMs)
  let current: ReuseStage | null = null
  return (stage, share) => {
    if (!limit.take() && stage === current) return
    current = stage
    send(stage, share)
  }
}

async function assign(
  store: HostStore,
  predictions: Predictions,
  { runId, path }: HostParams<'predict.rows'>,
  report: Report,
  signal: AbortSignal,
): Promise<HostResult<'predict.rows'>> {
  const kept = await store.runs.keptRun(runId)
  const columnTypes = await columnTypesOf(path, {}, keptTypes(kept))
  const reading = ({ bytes, totalBytes }: { bytes: number; totalBytes: number }) =>
    report('reading', bytes / Math.max(1, totalBytes))
  const dataset = await openDataset(path, { columnTypes }, reading, signal)
  report('assigning', null)
  const rows = await predictRows(dataset, kept, signal)
  return { predictionId: predictions.add(rows), prediction: rows.prediction, receipt: dataset.receipt }
}

/** The data of a run that are open, read in the same way, so that they need not be read again. */
async function loaded(store: HostStore, { file, import: { overrides } }: KeptRun): Promise<Dataset | null> {
  const alike = store.all().filter((one) => one.file.bytes === file.bytes && isReadBy(one, overrides))
  for (const one of alike) {
    const source = await hashed(one).catch(() => null)
    if (source?.file.sha256 === file.sha256) return source
  }
  return null
}

function isReadBy({ receipt }: Dataset, wanted: KeptRun['import']['overrides']): boolean {
  const { columnTypes: _byIndex, ...dialect } = overridesOf(receipt)
  const types = receipt.chosenTypes.map(({ name, type }) => ({ name, type }))
  return isDeepStrictEqual({ ...dialect, column_types: types }, wanted)
}

async function opened(
  kept: KeptRun,
  data: readonly string[],
  report: ReportVerification,
  signal: AbortSignal,
): Promise<{ dataset: Dataset; path: string }> {
  const path = await findData(kept, data, signal)
  return { path, dataset: await openKeptData(kept, path, report, signal) }
}

function factsOf(kept: KeptRun, path: string): HostResult<'verify.describe'> {
  const { n, d, k, engine, variant, device_name: deviceName, result_sha256: resultSha256 } = kept.results
  return {
    name: basename(path),
    startedAt: kept.started_at,
    dataName: kept.file.name,
    ...{ n, d, k, variant, deviceName, resultSha256 },
    engine: engineIds.find((id) => id === engine) ?? null,
  }
}
