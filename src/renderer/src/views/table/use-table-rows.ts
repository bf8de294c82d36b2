/** The table that is on screen: opened anew when its sort, filter or result changes; the one before stays until then. */
import { toErrorReport, type ErrorReport } from '@shared/errors'
import type { TableChoice, TableFacts } from '@shared/table'
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import { ask, rowNumbers } from '@/api'
import { useDatasetStore } from '@/stores/dataset'
import { useProfileStore } from '@/stores/profile'
import { useRunStore } from '@/stores/run'
import { useSelectionStore } from '@/stores/selection'
import { useTableStore } from '@/stores/table'
import { TableBlocks } from './table-blocks'

interface Shown {
  readonly facts: TableFacts
  readonly blocks: TableBlocks
}

export function useTableRows() {
  const dataset = useDatasetStore()
  const profile = useProfileStore()
  const run = useRunStore()
  const selection = useSelectionStore()
  const table = useTableStore()
  const shown = shallowRef<Shown | null>(null)
  const busy = ref(false)
  const error = shallowRef<ErrorReport | null>(null)
  /** Grows with every block that arrives. */
  const arrivals = ref(0)
  let newest = 0

  const runId = computed(() => run.result?.record.id ?? null)
  const picked = computed(() => (table.pickedOnly ? selection.rows : null))

  async function open(): Promise<void> {
    const { summary } = dataset
    const mine = ++newest
    if (!summary) return
    busy.value = true
    try {
      const rows = picked.value
      const numbers = rows && (await rowNumbers(summary.id, rows))
      if (mine !== newest) return
      const choice: TableChoice = {
        datasetId: summary.id,
        runId: runId.value,
        sort: table.sort,
        filter: { ...table.conditions, picked: numbers === '' ? null : numbers },
      }
      const facts = await ask('table.open', choice)
      if (mine === newest) show(facts, summary.columns.length)
      else await ask('table.close', { tableId: facts.tableId })
    } catch (thrown) {
      if (mine !== newest) return
      const report = toErrorReport(thrown)
      error.value = report.kind === 'cancelled' ? null : report
    } finally {
      if (mine === newest) busy.value = false
    }
  }

  function show(facts: TableFacts, columns: number): void {
    shown.value?.blocks.close()
    error.value = null
    const blocks = new TableBlocks(
      facts.tableId,
      columns,
      () => arrivals.value++,
      (thrown) => (error.value = toErrorReport(thrown)),
    )
    shown.value = { facts, blocks }
  }

  watch(
    () => [dataset.summary?.id, runId.value, table.sort, table.conditions, picked.value, profile.silhouettes],
    () => void open(),
    { immediate: true },
  )
  onScopeDispose(() => {
    newest++
    shown.value?.blocks.close()
  })

  return { shown, busy, error, arrivals, open }
}
