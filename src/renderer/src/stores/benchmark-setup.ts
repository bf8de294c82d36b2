/** The comparison that is being set up: the draft, what can be chosen for it, and the plan that it would come to. */
import type { OutsideReport, Plan } from '@shared/benchmark/requests'
import type { SuiteDataset, SuitePreset } from '@shared/benchmark/suite'
import type { DatasetSummary } from '@shared/dataset'
import { toErrorReport, type ErrorReport } from '@shared/errors'
import type { GeneratorSpec } from '@shared/generator'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { ask } from '@/api'
import {
  matrixColumns,
  matrixRows,
  offeredKeys,
  picked,
  toggled,
  type QuickPick,
} from '@/text/benchmark/contenders'
import {
  draftCase,
  type LoadedChoice,
  draftOfSuite,
  emptyDraft,
  freeName,
  nameInTables,
  suiteOf,
  type DraftCase,
} from '@/text/benchmark/draft'
import { isSound, setupErrors } from '@/text/benchmark/draft-errors'
import { plainSuite } from '@/text/benchmark/plain-suite'
import { useEnginesStore } from './engines'

export type PlanState = 'none' | 'planning' | 'ready' | 'failed'

/** The file that is loaded, as a clustering of it would have it. */
export interface LoadedFile {
  readonly choice: LoadedChoice
  /** Rows that the filter keeps, and features. */
  readonly n: number
  readonly d: number
}

export const useBenchmarkSetupStore = defineStore('benchmark-setup', () => {
  const engines = useEnginesStore()
  const draft = ref(emptyDraft())
  /** Id of the preset that was taken last; '' for a comparison of one's own. */
  const preset = ref('')
  /** Share of the points of a preset that is taken, in (0, 1]. */
  const scale = ref(1)
  const presets = shallowRef<readonly SuitePreset[]>([])
  const outside = shallowRef<readonly OutsideReport[]>([])
  const plan = shallowRef<Plan | null>(null)
  const planState = ref<PlanState>('none')
  const planError = shallowRef<ErrorReport | null>(null)
  /** The plan was made for another setup than the one that is shown. */
  const stale = ref(false)
  let untouched = true
  let generation = 0

  const columns = computed(() => matrixColumns(engines.reports))
  const rows = computed(() => matrixRows(engines.reports))
  const offered = computed(() => offeredKeys(columns.value, rows.value))
  const errors = computed(() => setupErrors(draft.value))
  const sound = computed(() => isSound(errors.value))
  const suite = computed(() => plainSuite(suiteOf(draft.value)))

  async function load(): Promise<void> {
    const [found, systems] = await Promise.all([
      ask('bench.presets', { scale: scale.value }),
      ask('bench.outside', {}),
    ])
    presets.value = found
    outside.value = systems
  }

  /** As long as nobody chose contenders, those that most people want. */
  function proposeContenders(): void {
    if (!untouched || draft.value.contenders.length > 0) return
    draft.value.contenders = picked('usual', offered.value, rows.value, columns.value)
  }

  /** The file that is loaded now stands first, ticked if the one before it was, which goes; beside a preset, not. */
  function adoptLoaded(summary: DatasetSummary | null, k: number, loaded: LoadedFile | null): void {
    const others = draft.value.cases.filter(({ dataset }) => dataset.kind !== 'loaded')
    if (!summary) {
      draft.value.cases = others
      return
    }
    const name = freeName(summary.file.name, namesOf(others))
    const dataset = { kind: 'loaded', datasetId: summary.id, name } as const
    const before = draft.value.cases.find((each) => each.dataset.kind === 'loaded')
    const shown = draftCase(dataset, loaded?.n ?? summary.rows, loaded?.d ?? null)
    shown.chosen = before?.chosen ?? preset.value === ''
    draft.value.cases = [shown, ...others]
    draft.value.loaded = loaded?.choice ?? null
    if (!before) followK(k)
  }

  /** The k of the settings, as long as nobody typed another. */
  let followedK = draft.value.k
  function followK(k: number): void {
    if (preset.value !== '' || draft.value.k !== followedK) return
    followedK = String(k)
    draft.value.k = followedK
  }

  /** '' goes back to a comparison of one's own. */
  function choosePreset(id: string): void {
    preset.value = id
    const found = presets.value.find((each) => each.id === id)
    const mine = draft.value.cases.filter(({ dataset }) => dataset.kind === 'loaded')
    if (found) return takeSuite(found.suite, mine)
    const fresh = { ...emptyDraft(), k: followedK, loaded: draft.value.loaded }
    draft.value = { ...fresh, cases: mine.map((each) => ({ ...each, chosen: true, k: '' })) }
    untouched = true
    proposeContenders()
  }

  function takeSuite(next: Parameters<typeof draftOfSuite>[0], mine: readonly DraftCase[] = []): void {
    const made = draftOfSuite(next)
    const kept = mine.map((each) => ({ ...each, chosen: false, k: '' }))
    draft.value = { ...made, loaded: draft.value.loaded, cases: [...kept, ...made.cases] }
    untouched = false
  }

  async function setScale(next: number): Promise<void> {
    scale.value = next
    presets.value = await ask('bench.presets', { scale: next })
    if (scale.value === next && preset.value !== '') choosePreset(preset.value)
  }

  async function openSuite(): Promise<void> {
    const opened = await ask('app.bench-open-suite', {})
    if (!opened) return
    preset.value = ''
    takeSuite(
      opened,
      draft.value.cases.filter(({ dataset }) => dataset.kind === 'loaded'),
    )
  }

  const namesOf = (of: readonly DraftCase[]): readonly string[] => of.map(({ dataset }) => dataset.name)

  function add(datasets: readonly SuiteDataset[]): void {
    draft.value.cases = [...draft.value.cases, ...datasets.map((dataset) => draftCase(dataset))]
  }

  function addGenerated(spec: GeneratorSpec): void {
    add([{ kind: 'generated', spec, name: nameInTables(spec, namesOf(draft.value.cases)) }])
  }

  async function addFolder(): Promise<void> {
    const chosen = await ask('app.bench-choose-folder', {})
    if (!chosen) return
    const taken = [...namesOf(draft.value.cases)]
    const files = chosen.files.map(({ token, name, k }) => {
      const free = freeName(name, taken)
      taken.push(free)
      const made = draftCase({ kind: 'file', path: token, name: free })
      return k === null ? made : { ...made, k: String(k) }
    })
    draft.value.cases = [...draft.value.cases, ...files]
  }

  function remove(id: string): void {
    draft.value.cases = draft.value.cases.filter((each) => each.id !== id)
  }

  function toggle(key: string): void {
    untouched = false
    const outsideKeys = outside.value.map(({ system }) => `outside/${system}`)
    draft.value.contenders = toggled(draft.value.contenders, key, [...offered.value, ...outsideKeys])
  }

  /** Replaces what is chosen of the matrix; baselines from outside stay. */
  function pick(what: QuickPick): void {
    untouched = false
    const kept = draft.value.contenders.filter((key) => key.startsWith('outside/'))
    draft.value.contenders = [
      ...picked(what, offered.value, rows.value, columns.value),
      ...(what === 'none' ? [] : kept),
    ]
  }

  /** Asks what the setup would take; an answer to an older setup is passed over. */
  async function replan(): Promise<void> {
    const mine = ++generation
    if (!sound.value) {
      planState.value = 'none'
      plan.value = null
      return
    }
    planState.value = 'planning'
    planError.value = null
    try {
      const answer = await ask('app.bench-plan', { suite: suite.value })
      if (mine !== generation) return
      plan.value = answer
      planState.value = 'ready'
      stale.value = false
    } catch (thrown) {
      if (mine !== generation) return
      const report = toErrorReport(thrown)
      planState.value = report.kind === 'cancelled' ? 'none' : 'failed'
      planError.value = report.kind === 'cancelled' ? null : report
    }
  }

  /** The setup is another now: an answer that is still to come would be to the older one. */
  function outdate(): void {
    generation++
    stale.value = true
  }

  return {
    draft,
    preset,
    scale,
    presets,
    outside,
    plan,
    planState,
    planError,
    stale,
    columns,
    rows,
    offered,
    errors,
    sound,
    suite,
    load,
    proposeContenders,
    adoptLoaded,
    followK,
    choosePreset,
    setScale,
    openSuite,
    addGenerated,
    addFolder,
    remove,
    toggle,
    pick,
    replan,
    outdate,
  }
})
