import { localizedSentence } from '@shared/locale/localized-sentence'
import type { HostChange } from '@/stores/app'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useDatasetStore } from '@/stores/dataset'
import { useEnginesStore } from '@/stores/engines'
import { useLiveStore } from '@/stores/live'
import { usePointsStore } from '@/stores/points'
import { useQuietStore } from '@/stores/quiet'
import { useRunStore } from '@/stores/run'
import { useScanStore } from '@/stores/scan'
import { useSettingsStore } from '@/stores/settings'
import { useTimelineStore } from '@/stores/timeline'
import { useBenchmarkShown } from '../benchmark/use-benchmark-shown'

/** What it means that the engine process is lost, given up, or there again. */
export function useHostChanges(): (change: HostChange) => void {
  const engineGone = useEngineGone()
  const engineBack = useEngineBack()
  const engines = useEnginesStore()
  const app = useAppStore()
  return ({ state, before }) => {
    if (state.state === 'lost') engineGone(localizedSentence(state.reason))
    if (state.state === 'failed') engineGone(localizedSentence(state.error.message))
    if (state.state !== 'ready') return
    engines.load().catch(app.fail)
    if (before.state === 'lost') engineBack()
  }
}

/** Said once: where the run was that it cost, or else across the window. */
function useEngineGone(): (sentence: string) => void {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const benchmarkShown = useBenchmarkShown()
  const dataset = useDatasetStore()
  const live = useLiveStore()
  const quiet = useQuietStore()
  const run = useRunStore()
  const scan = useScanStore()
  const settings = useSettingsStore()
  return (sentence) => {
    run.engineLost(sentence)
    live.engineLost()
    benchmark.engineLost(sentence)
    scan.engineLost(sentence)
    quiet.reset()
    if (benchmark.error?.kind === 'engine-lost' && benchmarkShown.value) app.banner = null
    const inSight = !settings.values.leftCollapsed && dataset.summary !== null
    if (run.error?.kind === 'engine-lost' && inSight) app.banner = null
  }
}

/** What the lost process had is asked for anew: the run that it cut off, the projection, the labels. */
function useEngineBack(): () => void {
  const app = useAppStore()
  const dataset = useDatasetStore()
  const points = usePointsStore()
  const run = useRunStore()
  const timeline = useTimelineStore()
  return () => {
    if (run.failed && dataset.summary) run.findBroken(dataset.summary.id).catch(app.fail)
    points.refit().catch(app.fail)
    timeline.retry().catch(app.fail)
  }
}
