/** How each dataset of the session is looked at: kept while it is shown, and shown again as it was left. */
import type { DatasetSummary } from '@shared/dataset'
import type { DatasetView } from '@shared/session'
import { computed, watch } from 'vue'
import { useAppStore } from '@/stores/app'
import { useColouringStore } from '@/stores/colouring'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { usePointsStore } from '@/stores/points'
import { useProfileStore } from '@/stores/profile'
import { useRunStore } from '@/stores/run'
import { useSessionStore } from '@/stores/session'
import { useSettingsStore } from '@/stores/settings'

/** The view on screen goes to the session, and the session to main whenever something of it changes. */
export function followSession(): void {
  const colouring = useColouringStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const points = usePointsStore()
  const profile = useProfileStore()
  const run = useRunStore()
  const session = useSessionStore()
  const settings = useSettingsStore()

  const view = computed((): typeof session.currentView => {
    const { summary } = dataset
    if (!summary || session.restoring) return session.currentView
    const { nInit, centroidsFile: _file, ...rest } = config.config
    const isAutomatic = config.draft.nInit.trim() === ''
    const looked: DatasetView = {
      config: { ...rest, centroidsFile: null, ...(!isAutomatic && { nInit }) },
      x: { ...points.axes.x },
      y: { ...points.axes.y },
      shownRun: run.result?.record.id ?? null,
      colourBy: colouring.wanted,
      view: settings.values.view,
    }
    return { of: summary.id, view: looked }
  })
  watch(view, (next) => (session.currentView = next), { immediate: true })
  watch(
    () => profile.silhouettes,
    (found) => {
      const runId = run.result?.record.id
      if (found && runId !== undefined) session.note(runId, { silhouette: found.mean })
    },
  )
  let reported = ''
  watch(
    () => [session.state, session.unsaved, session.busy] as const,
    ([state, unsaved, busy]) => {
      // While another session takes its place, neither is what it is.
      if (busy === 'opening') return
      const now = JSON.stringify([state, unsaved])
      if (now === reported || (reported === '' && state.datasets.length === 0)) return
      reported = now
      void session.report()
    },
    { flush: 'post' },
  )
}

/** Joins a file that was opened with the session. */
export function useSessionEntry() {
  const app = useAppStore()
  const colouring = useColouringStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const points = usePointsStore()
  const run = useRunStore()
  const session = useSessionStore()
  const settings = useSettingsStore()
  let before: string | null = null

  /** Before anything else follows the new file. */
  function leave(summary: DatasetSummary): void {
    if (before !== null) session.leaveView(before)
    // Read in another way, and nothing was made on it before: that reading is over.
    const isEmpty = !run.results.some(({ datasetId }) => datasetId === before)
    if (dataset.sameFile && before !== null && before !== summary.id && isEmpty) session.drop(before)
    before = summary.id
    session.add(summary)
  }

  /** The axes, colours and the run that it was left with. */
  async function restoreView(view: DatasetView, datasetId: string): Promise<void> {
    const isMine = (): boolean => dataset.summary?.id === datasetId
    const own = run.results.filter((each) => each.datasetId === datasetId)
    const shown = own.find(({ record }) => record.id === view.shownRun) ?? own[0]
    if (shown) await run.show(shown.record.id)
    if (!isMine()) return
    await Promise.all([points.show('x', view.x), points.show('y', view.y)])
    if (isMine() && view.colourBy !== null) await colouring.by(view.colourBy)
  }

  /** After everything else follows it. */
  function enter(summary: DatasetSummary): void {
    const view = session.find(summary.id)?.view ?? null
    if (view) {
      config.take(view.config)
      if (settings.values.view !== view.view && settings.values.view !== 'benchmark')
        settings.save({ view: view.view })
      session.restoring = true
      void restoreView(view, summary.id)
        .catch(app.fail)
        .finally(() => (session.restoring = false))
      return
    }
    const newest = run.results.find((each) => each.datasetId === summary.id)
    if (newest) void run.show(newest.record.id).catch(app.fail)
  }

  return { leave, enter }
}
