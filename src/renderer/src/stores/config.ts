/** The settings of the next run, as typed, with what is wrong with them. */
import type { DatasetSummary } from '@shared/dataset'
import type { RunConfig } from '@shared/run-config'
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import {
  configOf,
  draftOf,
  proposedFeatures,
  usableColumns,
  validateDraft,
  type ConfigDraft,
} from '@/text/validation'
import { useDraftSteps } from './draft-steps'

/** Settings that belong to one dataset or one session are not remembered. */
export function rememberedPart(config: RunConfig): Partial<RunConfig> {
  const { features: _features, centroidsFile: _file, ...rest } = config
  return rest
}

export const useConfigStore = defineStore('config', () => {
  const draft = ref<ConfigDraft>(draftOf({}))
  const rows = ref(0)
  const usable = ref<readonly string[]>([])
  const { undo, redo, canUndo, canRedo, withoutStep, clear } = useDraftSteps(draft)

  const errors = computed(() => validateDraft(draft.value, rows.value))
  const valid = computed(() => Object.keys(errors.value).length === 0)
  const config = computed<RunConfig>(() => configOf(draft.value))

  function restore(remembered: Partial<RunConfig>): void {
    withoutStep(() => {
      draft.value = { ...draftOf(remembered), features: draft.value.features }
    })
  }

  /**
   * Takes over a dataset: its proposed features and, from a headed file, its k. The same file read another way
   * keeps what was set for it; of the features, columns that could not be features before come as proposed.
   */
  function adopt(dataset: DatasetSummary, sameFile = false): void {
    const known = new Set(sameFile ? usable.value : [])
    const chosen = new Set(draft.value.features)
    const proposed = new Set(proposedFeatures(dataset.columns))
    rows.value = dataset.rows
    usable.value = usableColumns(dataset.columns).map((column) => column.name)
    draft.value.features = usable.value.filter((name) => (known.has(name) ? chosen : proposed).has(name))
    const { proposedK } = dataset.receipt
    if (proposedK !== null && !sameFile) draft.value.k = String(proposedK)
    clear()
  }

  /** Ticks or unticks a column; features stay in the order of the file. */
  function setFeature(name: string, chosen: boolean): void {
    const next = new Set(draft.value.features)
    if (chosen) next.add(name)
    else next.delete(name)
    draft.value.features = usable.value.filter((column) => next.has(column))
  }

  function setFeatures(names: readonly string[]): void {
    draft.value.features = [...names]
  }

  return {
    draft,
    rows,
    usable,
    errors,
    valid,
    config,
    restore,
    adopt,
    setFeature,
    setFeatures,
    undo,
    redo,
    canUndo,
    canRedo,
    withoutStep,
  }
})
