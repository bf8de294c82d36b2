import { engines } from '@engine/engines'
import { putByRow } from '@engine/dataset/by-row'
import { crossTable } from '@engine/quality/cross-table'
import { keptProfile, maxKeptClusters, nearestFrom, profilesFrom } from '@engine/quality/kept-profile'
import { nearestClusters, type NearestClusters } from '@engine/quality/nearest-clusters'
import { distanceOutliers } from '@engine/quality/outliers'
import { rankedFeatures, type Profiles } from '@engine/quality/profiles'
import { silhouettesOf, type PointSilhouettes } from '@engine/quality/silhouettes'
import type { RunResult } from '@engine/run/types'
import { Slices } from '@engine/slices'
import { LabError } from '@shared/errors'
import { bulkChunkBytes } from '@shared/ipc'
import type { FeatureStatistics, Profile } from '@shared/profile'
import type { RunRecord } from '@shared/run-record'
import type { QualityWork } from '@shared/quality-requests'
import { atMostEvery } from '@shared/throttle'
import { Newest } from '../newest'
import type { HostHandlers, HostParams, SendEvent } from '../protocol'
import { RunQuality } from '../run-quality'
import { SignalsByRun } from '../signals-by-run'
import type { HostStore } from '../store'

type QualityHandlers = Pick<
  HostHandlers,
  `run.${'profile' | 'cancel-profile' | 'silhouettes' | 'cancel-silhouettes' | 'silhouette-values' | 'cross-table' | 'outliers' | 'distances'}`
>

const progressMs = 100
/** Numbers of a cluster and feature in an answer. */
const statisticsOfCell = 10

/** What the clusters of a finished run are, and how well they are parted. */
export function qualityHandlers(
  store: HostStore,
  sendEvent: SendEvent,
  quality = new RunQuality(),
): QualityHandlers {
  const underWay = new SignalsByRun()
  const profiling = new SignalsByRun()
  const newest = new Newest()
  store.runs.onForget((runId) => quality.forget(runId))
  return {
    'run.profile': ({ runId, start, count }) =>
      profiling.during([runId], async (signal) => {
        const result = await store.runs.result(runId).catch(() => null)
        if (result === null) return await keptRange(store, runId, start, count)
        const until = AbortSignal.any([signal, store.runs.untilForgotten(runId)])
        const profiles = await quality.profiles(result, until, reporter(sendEvent, runId, 'profile'))
        const { record } = result
        if (start === 0 && record.k <= maxKeptClusters) {
          const all = await nearestClusters(result, 0, record.k, new Slices(until))
          await store.runs.keepProfile(runId, keptProfile(profiles, all, record.d))
        }
        const range = rangeOf(record, start, count)
        const near = await nearestClusters(result, range.start, range.count, new Slices(until))
        return profileRange(record, profiles, near, range)
      }),
    'run.cancel-profile': ({ runId }) => {
      profiling.abort(runId)
      return null
    },
    'run.silhouettes': ({ runId, extent }) =>
      underWay.during([runId], (signal) =>
        newest.run(runId, signal, (own) => silhouettes(store, quality, sendEvent, { runId, extent }, own)),
      ),
    'run.cancel-silhouettes': ({ runId }) => {
      underWay.abort(runId)
      return null
    },
    'run.silhouette-values': async ({ runId, start, count }) => {
      const found = quality.silhouettes(runId)
      if (found === undefined) throw notComputed()
      return { values: byRow(await store.runs.result(runId), valuesByPoint(found), start, count) }
    },
    'run.cross-table': async ({ runId, column }) =>
      crossTable(await store.runs.result(runId), column, store.runs.untilForgotten(runId)),
    'run.outliers': async ({ runId, cluster, count }) => {
      const result = await store.runs.result(runId)
      const until = store.runs.untilForgotten(runId)
      return distanceOutliers(result, await quality.distances(result, until), { cluster, count }, until)
    },
    'run.distances': async ({ runId, start, count }) => {
      const result = await store.runs.result(runId)
      const distances = await quality.distances(result, store.runs.untilForgotten(runId))
      return { values: byRow(result, distances, start, count) }
    },
  }
}

async function silhouettes(
  store: HostStore,
  quality: RunQuality,
  sendEvent: SendEvent,
  { runId, extent }: HostParams<'run.silhouettes'>,
  signal: AbortSignal,
) {
  const { points, labels, record } = await store.runs.result(runId)
  const onShare = reporter(sendEvent, runId, 'silhouettes')
  const until = AbortSignal.any([signal, store.runs.untilForgotten(runId)])
  const known = quality.silhouettes(runId)
  const isKnown = known !== undefined && (extent === 'auto' || known.sample === null)
  const on = { engine: engines[record.engine], deviceId: record.device }
  const options = { extent, seed: record.config.seed, signal: until, onShare, on }
  const found = isKnown ? known : await silhouettesOf({ points, labels, k: record.k }, options)
  quality.keep(runId, found)
  const { values: _values, sample: _sample, ...told } = found
  return told
}

function reporter(sendEvent: SendEvent, runId: string, what: QualityWork): (share: number) => void {
  return atMostEvery(progressMs, (share: number) => sendEvent('run.quality-progress', { runId, what, share }))
}

/** Of a run whose file is not at hand: what was computed while it was. @throws LabError `profile.not-kept` */
async function keptRange(store: HostStore, runId: string, start: number, count: number): Promise<Profile> {
  const kept = await store.runs.profile(runId)
  if (kept === null) throw notKept()
  const record = await store.runs.record(runId)
  const range = rangeOf(record, start, count)
  const profiles = profilesFrom(kept, record.k, record.d)
  return profileRange(record, profiles, nearestFrom(kept, range.start, range.count), range)
}

function rangeOf({ k, d }: RunRecord, start: number, count: number) {
  const fitting = Math.max(1, Math.floor(bulkChunkBytes / (statisticsOfCell * 8 * d)))
  return { start, count: Math.max(0, Math.min(count, k - start, fitting)) }
}

function profileRange(
  { d, features, clusters: rows }: RunRecord,
  { whole, clusters }: Profiles,
  near: NearestClusters,
  { start, count }: { readonly start: number; readonly count: number },
): Profile {
  const part = (values: Float64Array) => values.slice(start * d, (start + count) * d)
  const entries = Object.entries(clusters as FeatureStatistics).map(([name, all]) => [
    name,
    part(all as Float64Array),
  ])
  const own = Object.fromEntries(entries) as unknown as Profile['clusters']
  return {
    features,
    whole,
    start,
    count,
    clusters: own,
    sizes: Float64Array.from(rows.slice(start, start + count), ({ size }) => size),
    ranked: rankedFeatures(own.difference, d),
    nearest: near.nearest,
    nearestDistance: near.distance,
  }
}

/** (points) of silhouettes, NaN where there is none. */
export function valuesByPoint({ values, sample }: PointSilhouettes): (points: number) => Float32Array {
  return (points) => {
    if (sample === null) return Float32Array.from(values)
    const all = new Float32Array(points).fill(NaN)
    for (const [at, point] of sample.entries()) all[point] = values[at]
    return all
  }
}

/** Values of dataset rows; NaN where a row has none. */
function byRow(
  { points, dataset }: RunResult,
  values: Float32Array | ((points: number) => Float32Array),
  start: number,
  count: number,
): Float32Array {
  const end = Math.min(dataset.rows, start + count)
  const own = typeof values === 'function' ? values(points.n) : values
  return putByRow(own, points.rows, start, new Float32Array(Math.max(0, end - start)).fill(NaN))
}

function notKept(): LabError {
  return new LabError(
    'input',
    'profile.not-kept',
    'The profiles of this run were not computed before its file went away: locate the file to see them.',
  )
}

function notComputed(): LabError {
  return new LabError(
    'input',
    'silhouette.unknown',
    'The silhouettes of this result are not computed yet: open its silhouette plot again.',
  )
}
