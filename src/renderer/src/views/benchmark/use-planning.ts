/** Keeps the setup in step with the loaded file and the engines, and the plan with the setup. */
import { onBeforeUnmount, watch } from 'vue'
import { debounced } from '@/debounced'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useBenchmarkSetupStore } from '@/stores/benchmark-setup'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useEnginesStore } from '@/stores/engines'

/** So long nothing may change before a plan is asked for. */
const calmMs = 350

export function usePlanning(): void {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const engines = useEnginesStore()
  const setup = useBenchmarkSetupStore()
  const planning = debounced(() => void setup.replan(), calmMs)

  watch(
    () => [dataset.summary, config.draft.features.join('\n')] as const,
    ([summary]) => setup.adoptLoaded(summary, config.config.k, summary ? [...config.draft.features] : null),
    { immediate: true },
  )
  watch(
    () => engines.reports,
    () => setup.proposeContenders(),
    { immediate: true },
  )
  // A plan calibrates, which would disturb what is being measured.
  const wanted = (): boolean =>
    benchmark.page === 'setup' && !benchmark.busy && app.hostState.state === 'ready'
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
