/** How the table of rows is sorted and filtered; kept while another tab is open. */
import { wholeTable, type TableFilter, type TableKey, type TableSort } from '@shared/table'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { useDatasetStore } from './dataset'
import { useRunStore } from './run'
import { useSelectionStore } from './selection'

/** What is asked of rows by hand; rows picked elsewhere come beside it. */
export type TableConditions = Omit<TableFilter, 'picked'>

const { picked: _picked, ...noConditions } = wholeTable

export const useTableStore = defineStore('table', () => {
  const dataset = useDatasetStore()
  const run = useRunStore()
  const selection = useSelectionStore()
  const sort = shallowRef<TableSort | null>(null)
  const conditions = shallowRef<TableConditions>(noConditions)
  /** Only rows that are selected. */
  const pickedOnly = ref(false)
  const panelOpen = ref(false)

  function reset(): void {
    sort.value = null
    conditions.value = noConditions
    pickedOnly.value = false
  }

  function change(next: Partial<TableConditions>): void {
    conditions.value = { ...conditions.value, ...next }
  }

  function clear(): void {
    conditions.value = noConditions
    pickedOnly.value = false
  }

  /** Ascending, descending, then as in the file. */
  function sortBy(key: TableKey): void {
    const same = sort.value !== null && JSON.stringify(sort.value.key) === JSON.stringify(key)
    if (!same) sort.value = { key, descending: false }
    else sort.value = sort.value?.descending === false ? { key, descending: true } : null
  }

  const isFiltered = computed(
    () => pickedOnly.value || Object.values(conditions.value).some((condition) => condition !== null),
  )

  watch(() => dataset.summary?.id, reset)
  watch(
    () => selection.rows,
    (rows) => (pickedOnly.value &&= rows !== null),
  )
  // Clusters are those of a result: of another one the numbers mean others.
  watch(
    () => run.result?.record.id,
    () => {
      if (conditions.value.clusters !== null) change({ clusters: null })
    },
  )

  return {
    sort,
    conditions,
    pickedOnly,
    panelOpen,
    isFiltered,
    change,
    clear,
    sortBy,
  }
})
