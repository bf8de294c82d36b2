/** What the clusters of the result on screen are: fetched when a view asks for it, kept until another result is shown. */
import { LabError, toErrorReport, type ErrorReport } from '@shared/errors'
import type { CrossTable } from '@shared/cross-table'
import type { Profile as EngineProfile } from '@shared/profile'
import type { RunRecord } from '@shared/run-record'
import type { SilhouetteExtent, Silhouettes } from '@shared/silhouettes'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { t } from '@/i18n'
import { ask, listen } from '@/api'
import { readProfile, type ReadProfile } from '@/plots/profile/read-profile'
import type { SilhouetteBlock } from '@/plots/profile/silhouette-plot'
import { silhouetteCurves } from './silhouette-curves'

/** More clusters than this are for a file, not for a view. */
export const maxProfiledClusters = 200

/** A result that has been on screen for so long is worth a profile, where another one is shown. */
const restMs = 200

export interface ReadSilhouettes extends Silhouettes {
  readonly blocks: readonly SilhouetteBlock[]
}

export const useProfileStore = defineStore('profile', () => {
  /** The result that all of this is of. */
  const of = shallowRef<RunRecord | null>(null)
  const profile = shallowRef<ReadProfile | null>(null)
  const profileError = shallowRef<ErrorReport | null>(null)
  /** 0 to 1 while a profile takes its time; null where nobody knows yet, or nothing goes on. */
  const profileShare = ref<number | null>(null)
  const silhouettes = shallowRef<ReadSilhouettes | null>(null)
  const silhouetteError = shallowRef<ErrorReport | null>(null)
  /** 0 to 1 while silhouettes are computed; null where nobody knows yet, or nothing goes on. */
  const silhouetteShare = ref<number | null>(null)
  const computing = ref(false)
  const crossTable = shallowRef<CrossTable | null>(null)
  const crossError = shallowRef<ErrorReport | null>(null)
  let crossColumn: number | null = null
  let rows = 0
  /** The result on screen, whose profile may be under way. */
  let newest: RunRecord | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = { profile: false, silhouettes: false }
  /** What was asked for last; over where it was answered. */
  const underWay = { profile: Promise.resolve(), silhouettes: Promise.resolve() }

  function subscribe(): void {
    listen('run.quality-progress', ({ runId, what, share }) => {
      if (runId !== of.value?.id) return
      if (what === 'profile') profileShare.value = profile.value ? null : share
      else if (computing.value) silhouetteShare.value = share
    })
  }

  /**
   * Another result is on screen, or none. Where a profile is shown it stays until that of the new result is there, and results that
   * follow one another quickly are passed over.
   */
  function adopt(record: RunRecord | null, datasetRows: number): void {
    clearTimeout(timer)
    newest = record
    if (record !== null && record.id === of.value?.id) return
    if (record === null || profile.value === null || datasetRows !== rows) {
      replace(record, datasetRows)
      return void load()
    }
    timer = setTimeout(() => void follow(record), restMs)
  }

  async function follow(record: RunRecord): Promise<void> {
    const wanted = (): boolean => newest === record
    try {
      const pieces = await piecesOf(record, wanted)
      if (!wanted()) return
      replace(record, rows)
      asked = { ...asked, profile: true }
      profile.value = readProfile(pieces, record.n)
    } catch (thrown) {
      if (!wanted()) return
      replace(record, rows)
      profileError.value = toErrorReport(thrown)
    }
  }

  /** What is known is of the result before. */
  function replace(record: RunRecord | null, datasetRows: number): void {
    if (computing.value && of.value) ask('run.cancel-silhouettes', { runId: of.value.id }).catch(() => null)
    of.value = record
    rows = datasetRows
    asked = { profile: false, silhouettes: false }
    profile.value = null
    profileError.value = null
    profileShare.value = null
    silhouettes.value = null
    silhouetteError.value = null
    silhouetteShare.value = null
    computing.value = false
    crossTable.value = null
    crossError.value = null
    crossColumn = null
  }

  /** Asks once for each result. */
  async function load(): Promise<void> {
    const record = of.value
    if (!record || asked.profile) return underWay.profile
    asked = { ...asked, profile: true }
    underWay.profile = loadProfile(record)
    return underWay.profile
  }

  async function loadProfile(record: RunRecord): Promise<void> {
    const wanted = (): boolean => of.value === record
    profileError.value = null
    try {
      const pieces = await piecesOf(record, wanted)
      if (wanted()) profile.value = readProfile(pieces, record.n)
    } catch (thrown) {
      if (wanted()) profileError.value = toErrorReport(thrown)
    } finally {
      if (wanted()) profileShare.value = null
    }
  }

  async function cancelProfile(): Promise<void> {
    if (of.value && !profile.value) await ask('run.cancel-profile', { runId: of.value.id })
  }

  /** All of a result that is there in a moment, for plots that are saved without being on screen. */
  async function ready(record: RunRecord, datasetRows: number): Promise<void> {
    clearTimeout(timer)
    newest = record
    if (of.value?.id !== record.id) replace(record, datasetRows)
    await load()
    if (record.k > 1) await loadSilhouettes('auto')
  }

  /** Computed once and kept by the engine; `exact` takes every pair at any size. */
  async function loadSilhouettes(extent: SilhouetteExtent): Promise<void> {
    const record = of.value
    if (!record || (extent === 'auto' && asked.silhouettes)) return underWay.silhouettes
    asked = { ...asked, silhouettes: true }
    underWay.silhouettes = computeSilhouettes(record, extent)
    return underWay.silhouettes
  }

  async function computeSilhouettes(record: RunRecord, extent: SilhouetteExtent): Promise<void> {
    silhouetteError.value = null
    computing.value = true
    silhouetteShare.value = null
    const wanted = (): boolean => of.value === record
    try {
      const found = await ask('run.silhouettes', { runId: record.id, extent })
      const curves = wanted() ? await silhouetteCurves(record.id, record.k, rows, wanted) : null
      if (!curves || !wanted()) return
      const blocks = found.clusters
        .filter(({ size }) => size > 0)
        .map(({ cluster, mean, size }) => ({ cluster, mean, size, ...curveOf(curves, cluster) }))
      silhouettes.value = { ...found, blocks }
    } catch (thrown) {
      if (wanted()) silhouetteError.value = toErrorReport(thrown)
    } finally {
      if (wanted()) computing.value = false
    }
  }

  async function cancelSilhouettes(): Promise<void> {
    if (of.value && computing.value) await ask('run.cancel-silhouettes', { runId: of.value.id })
  }

  /** Clusters against a column of texts. */
  async function cross(column: number): Promise<void> {
    const record = of.value
    if (!record || crossColumn === column) return
    crossColumn = column
    crossError.value = null
    const wanted = (): boolean => of.value === record && crossColumn === column
    try {
      const found = await ask('run.cross-table', { runId: record.id, column })
      if (wanted()) crossTable.value = found
    } catch (thrown) {
      if (!wanted()) return
      crossTable.value = null
      crossColumn = null
      crossError.value = toErrorReport(thrown)
    }
  }

  /** What failed is asked for again. */
  async function retry(): Promise<void> {
    asked = { profile: profile.value !== null, silhouettes: silhouettes.value !== null }
    await load()
  }

  return {
    ...{
      of,
      profile,
      profileError,
      profileShare,
      silhouettes,
      silhouetteError,
      silhouetteShare,
      computing,
      crossTable,
      crossError,
    },
    ...{ subscribe, adopt, ready, load, cancelProfile, loadSilhouettes, cancelSilhouettes, cross, retry },
  }
})

type Curves = NonNullable<Awaited<ReturnType<typeof silhouetteCurves>>>

function curveOf(curves: Curves, cluster: number): Pick<SilhouetteBlock, 'values' | 'negative'> {
  const { values, negative } = curves.curve(cluster)
  return { values, negative }
}

/** As many clusters an answer as the engine gives. */
async function piecesOf({ id, k }: RunRecord, wanted: () => boolean): Promise<readonly EngineProfile[]> {
  const pieces: EngineProfile[] = []
  const all = Math.min(k, maxProfiledClusters)
  for (let start = 0; start < all && wanted();) {
    const piece = await ask('run.profile', { runId: id, start, count: all - start })
    if (piece.count === 0)
      throw new LabError('internal', 'profile.empty', t('profiles.theEngineSentNoProfileTry'))
    pieces.push(piece)
    start += piece.count
  }
  return pieces
}
