/** What follows a value, whoever changes it: nothing here depends on what happened before. */
import { preparationChoice } from '@shared/run-config'
import { watch } from 'vue'
import { useAppStore } from '@/stores/app'
import { rememberedPart, useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useLiveStore } from '@/stores/live'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useSettingsStore } from '@/stores/settings'
import { useTimelineStore } from '@/stores/timeline'

export function followValues(): void {
  followSettings()
  followResult()
}

/** The theme is the page's; the settings of the next run are remembered. */
function followSettings(): void {
  const config = useConfigStore()
  const live = useLiveStore()
  const settings = useSettingsStore()
  watch(
    () => config.config,
    (next, before) => {
      if (!settings.loaded || !config.valid) return
      settings.save({ lastConfig: rememberedPart(next, config.draft.nInit.trim() === '') })
      live.follow(next, before)
    },
  )
  watch(
    () => settings.values.theme,
    (theme) => {
      document.documentElement.dataset['theme'] = theme
    },
  )
}

/** The time line is that of the result on screen, on its axes; so are principal components. */
function followResult(): void {
  const app = useAppStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const points = usePointsStore()
  const run = useRunStore()
  const timeline = useTimelineStore()
  watch(
    () => run.result,
    (result) => {
      timeline.adopt(result?.record ?? null, dataset.summary?.rows ?? 0).catch(app.fail)
    },
  )
  watch(
    () => [points.x, points.y] as const,
    ([x, y]) => {
      timeline.setAxes(x, y).catch(app.fail)
    },
  )
  // Without a result the settings say what principal components are those of.
  watch(
    () => [dataset.summary?.id, run.result?.asked ?? (config.valid ? config.config : null)] as const,
    ([datasetId, of]) => {
      if (!datasetId || !of) return
      points.project({ datasetId, ...preparationChoice(of) }).catch(app.fail)
    },
  )
}
