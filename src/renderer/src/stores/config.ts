/** The settings of the next run, as typed, with what is wrong with them. */
import type { ColumnScaling, DatasetSummary } from '@shared/dataset'
import type { RowFilter } from '@shared/row-filter/row-filter'
import type { RunConfig } from '@shared/run-config'
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { usualRestarts } from '@/text/restarts'
import {
  configOf,
  draftOf,
  oneHotColumns,
  proposedFeatures,
  usableColumns,
  validateDraft,
  type ConfigDraft,
} from '@/text/validation'
import { useDraftSteps } from './draft-steps'

/** Settings that belong to one dataset or one session are not remembered. @param isAutomatic nobody gave the number of restarts */
export function rememberedPart(config: RunConfig, isAutomatic = false): Partial<RunConfig> {
  const {
    features: _features,
    columnScalings: _scalings,
    filter: _filter,
    oneHot: _oneHot,
    centroidsFile: _file,
    ...rest
  } = config
  if (!isAutomatic) return rest
  const { nInit: _restarts, ...others } = rest
  return others
}

export const useConfigStore = defineStore('config', () => {
  const draft = ref<ConfigDraft>(draftOf({}))
  const rows = ref(0)
  const usable = ref<readonly string[]>([])
  /** Different texts of each column of the dataset, where they are kept. */
  const categories = ref<ReadonlyMap<string, number>>(new Map())
  const { undo, redo, canUndo, canRedo, withoutStep, clear, beginGesture, endGesture, isHeld } =
    useDraftSteps(draft)

  const errors = computed(() => validateDraft(draft.value, rows.value))
  const valid = computed(() => Object.keys(errors.value).length === 0)
  const config = computed<RunConfig>(() => {
    const typed = configOf(draft.value)
    return draft.value.nInit.trim() === '' ? { ...typed, nInit: restarts.value } : typed
  })
  /** Of the points: a column of texts counts as often as it has different ones. */
  const featureCount = computed(() =>
    draft.value.oneHot.reduce(
      (sum, name) => sum + (categories.value.get(name) ?? 0),
      draft.value.features.length,
    ),
  )

  /** Of a run whose number of restarts is left to the window. */
  const restarts = computed(() => usualRestarts(configOf(draft.value), rows.value, featureCount.value))

  function restore(remembered: Partial<RunConfig>): void {
    withoutStep(() => {
      const { features, columnScalings, filter, oneHot } = draft.value
      draft.value = { ...draftOf(remembered), features, columnScalings, filter, oneHot }
    })
  }

  /** The settings that a dataset of the session had, once it was taken over; what it no longer has is left out. */
  function take(kept: Partial<RunConfig>): void {
    const offered = new Set(usable.value)
    const texts = new Set(categories.value.keys())
    draft.value = {
      ...draftOf(kept),
      features: usable.value.filter((name) => kept.features?.includes(name) ?? true),
      columnScalings: (kept.columnScalings ?? []).filter(({ column }) => offered.has(column)),
      filter: kept.filter ?? null,
      oneHot: (kept.oneHot ?? []).filter((name) => texts.has(name)),
    }
    clear()
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
    const scalings = draft.value.columnScalings.filter(({ column }) => known.has(column))
    draft.value.columnScalings = scalings.filter(({ column }) => usable.value.includes(column))
    if (!sameFile) draft.value.filter = null
    const texts = new Set(oneHotColumns(dataset.columns).map(({ name }) => name))
    draft.value.oneHot = sameFile ? draft.value.oneHot.filter((name) => texts.has(name)) : []
    categories.value = new Map(dataset.columns.map(({ name, categories: count = 0 }) => [name, count]))
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

  /** Null: as all. An unticked feature keeps its own for when it is ticked again. */
  function setScaling(column: string, scaling: ColumnScaling | null): void {
    const others = draft.value.columnScalings.filter((own) => own.column !== column)
    draft.value.columnScalings = scaling === null ? others : [...others, { column, scaling }]
  }

  /** Ticks or unticks a column of texts. */
  function setOneHot(name: string, chosen: boolean): void {
    const others = draft.value.oneHot.filter((other) => other !== name)
    draft.value.oneHot = chosen ? [...others, name] : others
  }

  function setFilter(filter: RowFilter | null): void {
    draft.value.filter = filter
  }

  return {
    draft,
    rows,
    usable,
    errors,
    valid,
    config,
    restore,
    take,
    adopt,
    setFeature,
    setFeatures,
    setScaling,
    setFilter,
    setOneHot,
    featureCount,
    restarts,
    undo,
    redo,
    canUndo,
    canRedo,
    withoutStep,
    beginGesture,
    endGesture,
    isHeld,
  }
})
