/** How many rows the filter of the settings leaves out of the loaded dataset. */
import { toErrorReport } from '@shared/errors'
import type { RowFilter } from '@shared/row-filter/row-filter'
import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import { ask } from '@/api'
import { useConfigStore } from './config'
import { useDatasetStore } from './dataset'

export interface FilteredCount {
  /** Null while they are counted, or where they cannot be. */
  readonly rows: number | null
  /** Why not, a sentence; empty otherwise. */
  readonly problem: string
}

/** Rows a filter leaves out, or why it means nothing. */
export async function countFiltered(datasetId: string, filter: RowFilter): Promise<FilteredCount> {
  try {
    return { rows: await ask('dataset.filtered-rows', { datasetId, filter }), problem: '' }
  } catch (thrown) {
    return { rows: null, problem: toErrorReport(thrown).message }
  }
}

export const useFilteredRowsStore = defineStore('filtered-rows', () => {
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const none: FilteredCount = { rows: 0, problem: '' }
  const count = ref<FilteredCount>(none)
  let newest = 0

  watch(
    () => [dataset.summary?.id, config.config.filter] as const,
    async ([datasetId, filter]) => {
      const mine = ++newest
      count.value = datasetId && filter ? { rows: null, problem: '' } : none
      if (!datasetId || !filter) return
      const found = await countFiltered(datasetId, filter)
      if (mine === newest) count.value = found
    },
    { immediate: true },
  )

  return { count }
})
