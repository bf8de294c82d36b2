/** Keeps the setup in step with the loaded file and the engines, and the plan with the setup. */
import { preparationChoice } from '@shared/run-config'
import { onBeforeUnmount, watch } from 'vue'
import { debounced } from '@/debounced'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useBenchmarkSetupStore } from '@/stores/benchmark-setup'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useEnginesStore } from '@/stores/engines'
import { useFilteredRowsStore } from '@/stores/filtered-rows'
import type { LoadedChoice } from '@/text/benchmark/draft'

/** So long nothing may change before a plan is asked for. */
const calmMs = 350

export function usePlanning(): void {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const engines = useEnginesStore()
  const filtered = useFilteredRowsStore()
  const setup = useBenchmarkSetupStore()
  const planning = debounced(() => void setup.replan(), calmMs)

  function loadedChoice(): LoadedChoice {
    const { missing: _missing, scaling: _scaling, ...choice } = preparationChoice(config.config)
    return choice
  }

  watch(
    () => [dataset.summary, JSON.stringify(loadedChoice()), filtered.count.rows] as const,
    ([summary, , leftOut]) => {
      const n = (summary?.rows ?? 0) - (leftOut ?? 0)
      const loaded = summary ? { choice: loadedChoice(), n, d: config.featureCount } : null
      setup.adoptLoaded(summary, config.config.k, loaded)
    },
    { immediate: true },
  )
  watch(
    () => config.config.k,
    (k) => setup.followK(k),
    { immediate: true },
  )
  watch(
    () => engines.reports,
    () => setup.proposeContenders(),
    { immediate: true },
  )
  // A plan calibrates, which would disturb what is being measured.
  const wanted = (): boolean => benchmark.page === 'setup' && !benchmark.busy && app.isReady
  watch(
    () => [JSON.stringify(setup.suite), setup.sound, wanted()] as const,
    ([, , now]) => {
      planning.cancel()
      setup.outdate()
      if (now) planning.ask()
    },
    { immediate: true },
  )
  onBeforeUnmount(planning.cancel)
}
