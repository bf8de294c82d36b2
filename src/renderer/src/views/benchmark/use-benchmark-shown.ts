/** Whether the benchmark is what the person looks at: its tab, or alone while nothing is loaded. */
import { computed } from 'vue'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useDatasetStore } from '@/stores/dataset'
import { useSettingsStore } from '@/stores/settings'

export function useBenchmarkShown() {
  const benchmark = useBenchmarkStore()
  const dataset = useDatasetStore()
  const settings = useSettingsStore()
  return computed(() => (dataset.summary ? settings.values.view === 'benchmark' : benchmark.standalone))
}
