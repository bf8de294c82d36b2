/** Columns of the open file that divide its rows into classes: those whose texts are kept. */
import { computed } from 'vue'
import { useDatasetStore } from '@/stores/dataset'

export function useClassColumns() {
  const dataset = useDatasetStore()
  return computed(() => (dataset.summary?.columns ?? []).filter(({ categories = 0 }) => categories > 0))
}
