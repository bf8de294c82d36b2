/**
 * The session: datasets side by side, what a person wrote about their runs, and whether all of it is saved. One dataset is shown;
 * the others are unloaded, with their settings and views kept for when they are shown again.
 */
import { toErrorReport } from '@shared/errors'
import type { DatasetSummary } from '@shared/dataset'
import type {
  DatasetView,
  OpenedDataset,
  OpenedSession,
  SessionFacts,
  SessionRun,
  SessionState,
} from '@shared/session'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { SessionProgress } from '@shared/session-requests'
import { ask, listen } from '@/api'
import { looksFrom, looksTo } from '@/text/session-looks'
import { useAppStore } from './app'
import { useDatasetStore } from './dataset'
import { useLooksStore } from './looks'
import { useQueueStore } from './queue'
import { useRunStore } from './run'
import { useVerificationStore } from './verification'

/** A dataset of the session. */
export interface SessionDataset extends OpenedDataset {
  /** How it was left; null where it was never shown. */
  readonly view: DatasetView | null
}

/** What is kept of a run beside its record. */
export interface RunNote {
  readonly number: number
  readonly note: string
  readonly silhouette: number | null
}

const nothingNoted: RunNote = { number: 0, note: '', silhouette: null }
/** Of a session whose last changes are not in its .clab, whatever they were. */
const neverSaved = 'never'

export const useSessionStore = defineStore('session', () => {
  const app = useAppStore()
  const dataset = useDatasetStore()
  const looks = useLooksStore()
  const queue = useQueueStore()
  const run = useRunStore()
  const verification = useVerificationStore()

  /** Of its .clab; null for one that was never saved. */
  const name = ref<string | null>(null)
  const datasets = shallowRef<readonly SessionDataset[]>([])
  const notes = shallowRef<ReadonlyMap<string, RunNote>>(new Map())
  /** It is on screen with its runs alone: its file is not to be had. */
  const absent = shallowRef<SessionDataset | null>(null)
  /** What is being done with the .clab. */
  const busy = ref<'opening' | 'saving' | null>(null)
  /** Of its .clab while the engine host is at it. */
  const progress = shallowRef<SessionProgress | null>(null)
  const cancelling = ref(false)
  const savedContent = ref<string | null>(null)
  /** How the dataset on screen is looked at; the window sets it (views/session). */
  const currentView = shallowRef<{ readonly of: string; readonly view: DatasetView } | null>(null)
  /** A dataset is being shown as it was left: until it is, its view is the one that is kept. */
  const restoring = ref(false)

  const shownId = computed(() => absent.value?.id ?? dataset.summary?.id ?? null)
  const find = (id: string | null): SessionDataset | null =>
    datasets.value.find((each) => each.id === id) ?? null
  const noteOf = (runId: string): RunNote => notes.value.get(runId) ?? nothingNoted

  const runsOf = (datasetId: string): SessionRun[] =>
    run.results
      .filter((each) => each.datasetId === datasetId)
      .map(({ record: { id } }) => ({ id, ...noteOf(id), ...looksTo(looks.looksOf(id), looks.slotsOf(id)) }))

  const state = computed((): SessionState => ({
    shown: shownId.value,
    datasets: datasets.value.map(({ id, view }) => ({
      id,
      view: currentView.value?.of === id && absent.value === null ? currentView.value.view : view,
      runs: runsOf(id),
    })),
  }))
  /** What a person would miss, that a run was verified too: views come along, and are no reason to ask. */
  const content = computed(() =>
    JSON.stringify(
      state.value.datasets.map(({ id, runs }) => [
        id,
        runs.map((each) => [each.id, each.note, each.looks, verification.markOf(each.id)?.at ?? null]),
      ]),
    ),
  )
  const unsaved = computed(() =>
    savedContent.value === null ? run.results.length > 0 : content.value !== savedContent.value,
  )
  const facts = computed((): SessionFacts => ({ name: name.value, unsaved: unsaved.value }))

  watch(() => run.results, number, { flush: 'sync' })
  // A host that is gone tells of no end.
  watch(
    () => app.hostState.state,
    (host) => host !== 'ready' && follow(null),
  )

  function subscribe(): void {
    listen('session.progress', follow)
  }

  function follow(now: SessionProgress | null): void {
    progress.value = now
    if (now === null) cancelling.value = false
  }

  /** What is on screen, and the .clab that is written, stay as they were. */
  async function cancel(): Promise<void> {
    if (progress.value === null || cancelling.value) return
    cancelling.value = true
    await ask('session.cancel', {}).catch(app.fail)
  }

  /** Runs are counted through the session; one that takes the place of another has its number. */
  function number(now: typeof run.results, before: typeof run.results): void {
    const known = notes.value
    const added = now.filter(({ record }) => !known.has(record.id))
    if (added.length === 0) return
    const left = new Set(now.map(({ record }) => record.id))
    const replaced = before
      .filter(({ record }) => !left.has(record.id))
      .map(({ record }) => known.get(record.id))
    const next = new Map(known)
    let newest = Math.max(0, ...[...known.values()].map((each) => each.number))
    for (const { record } of added.toReversed()) {
      const taken = replaced.length === 1 && added.length === 1 ? replaced[0]?.number : undefined
      next.set(record.id, { ...nothingNoted, number: taken ?? ++newest })
    }
    notes.value = next
  }

  function note(runId: string, change: Partial<RunNote>): void {
    notes.value = new Map(notes.value).set(runId, { ...noteOf(runId), ...change })
  }

  /** A file that was opened is one more dataset, or the one that it was. */
  function add(summary: DatasetSummary): void {
    absent.value = null
    const source = dataset.source
    if (!source) return
    const known = find(summary.id)
    const added: SessionDataset = {
      ...{
        id: summary.id,
        token: source.token,
        name: summary.file.name,
        folder: folderOf(summary.file.path),
      },
      ...{ overrides: source.overrides, file: 'there', view: known?.view ?? null },
    }
    datasets.value = known
      ? datasets.value.map((each) => (each.id === summary.id ? added : each))
      : [...datasets.value, added]
  }

  /** What was shown is left, as it is looked at now. */
  function leaveView(datasetId: string): void {
    if (currentView.value?.of !== datasetId) return
    const { view } = currentView.value
    datasets.value = datasets.value.map((each) => (each.id === datasetId ? { ...each, view } : each))
  }

  /** Takes a dataset without runs off the list: the same file was read in another way. */
  function drop(datasetId: string): void {
    datasets.value = datasets.value.filter((each) => each.id !== datasetId)
  }

  /** Shows a dataset of the session, after a run that is under way; one whose file is not to be had with its runs alone. */
  async function show(datasetId: string, runId: string | null = null): Promise<void> {
    const wanted = find(datasetId)
    if (!wanted) return
    if (datasetId === shownId.value) return runId === null ? undefined : await showRun(runId)
    if (run.busy) return queue.add({ kind: 'show', datasetId, name: wanted.name })
    if (runId !== null && wanted.view) keepView(datasetId, { ...wanted.view, shownRun: runId })
    if (wanted.file === 'there') await load(wanted)
    else await showAbsent(wanted)
  }

  async function showRun(runId: string): Promise<void> {
    if (absent.value === null) return await run.show(runId)
    await run.whole(runId)
    keepView(absent.value.id, { ...(absent.value.view ?? emptyView), shownRun: runId })
  }

  function keepView(datasetId: string, view: DatasetView): void {
    datasets.value = datasets.value.map((each) => (each.id === datasetId ? { ...each, view } : each))
    if (absent.value?.id === datasetId) absent.value = find(datasetId)
  }

  async function load(wanted: SessionDataset): Promise<void> {
    await dataset.reopen(wanted.id, wanted, wanted.overrides)
    const { error } = dataset
    if (error === null || dataset.summary?.id === wanted.id) return
    const file =
      error.code === 'session.changed' ? 'changed' : error.code.endsWith('not-found') ? 'missing' : null
    if (file === null) return
    dataset.error = null
    await showAbsent({ ...wanted, file })
  }

  async function showAbsent(wanted: SessionDataset): Promise<void> {
    datasets.value = datasets.value.map((each) => (each.id === wanted.id ? wanted : each))
    if (dataset.summary) leaveView(dataset.summary.id)
    await dataset.leave()
    run.adopt('')
    absent.value = wanted
    const own = run.results.filter((each) => each.datasetId === wanted.id).map(({ record }) => record.id)
    const shown = own.find((id) => id === wanted.view?.shownRun) ?? own[0]
    if (shown !== undefined) await showRun(shown)
  }

  /** Loads a dataset once more whose file was not to be had. */
  async function tryAgain(): Promise<void> {
    if (absent.value) await load({ ...absent.value, file: 'there' })
  }

  /** Asks for the file of a dataset, and finds the others beside it. */
  async function locate(datasetId: string): Promise<void> {
    const found = await ask('app.locate-dataset', { datasetId })
    if (!found) return
    datasets.value = datasets.value.map((each) => {
      const now = found.find(({ id }) => id === each.id)
      return now ? { ...each, ...now } : each
    })
    const wanted = find(datasetId)
    if (wanted && absent.value?.id === datasetId) await load(wanted)
  }

  /** Takes a dataset out of the session, with its runs after a question. */
  async function close(datasetId: string): Promise<void> {
    const closed = find(datasetId)
    if (!closed || (run.busy && datasetId === shownId.value)) return
    const own = run.results.filter((each) => each.datasetId === datasetId)
    const asked = { name: closed.name, runs: own.length }
    if (own.length > 0 && !(await ask('app.confirm-close-dataset', asked))) return
    const wasShown = datasetId === shownId.value
    for (const { record } of own) run.remove(record.id)
    drop(datasetId)
    if (!wasShown) return
    absent.value = null
    const next = datasets.value.find(({ file }) => file === 'there') ?? datasets.value[0]
    if (next) await show(next.id)
    if (dataset.summary?.id !== datasetId) return
    await dataset.leave()
    run.adopt('')
  }

  /** Takes over a session, in the place of this one. */
  async function adopt(opened: OpenedSession): Promise<void> {
    busy.value = 'opening'
    try {
      // First of all: where it fails, what is on screen stays.
      const listed = await ask('run.listed', { datasetIds: opened.datasets.map(({ id }) => id) })
      await replaceBy(opened, listed)
    } finally {
      busy.value = null
    }
  }

  async function replaceBy(opened: OpenedSession, listed: Parameters<typeof run.restore>[0]): Promise<void> {
    await clear()
    name.value = opened.name
    const kept = new Map(opened.state?.datasets.map((each) => [each.id, each]))
    const runs = [...kept.values()].flatMap((each) => each.runs)
    notes.value = new Map(
      runs.map(({ id, number: count, note: text, silhouette }) => [
        id,
        { number: count, note: text, silhouette },
      ]),
    )
    for (const each of runs) looks.restore(each.id, looksFrom(each.looks), each.slots)
    datasets.value = opened.datasets.map((each) => ({ ...each, view: kept.get(each.id)?.view ?? null }))
    run.restore(listed)
    savedContent.value = opened.unsaved ? neverSaved : opened.name === null ? null : content.value
    const first = find(opened.state?.shown ?? null) ?? datasets.value[0]
    if (first) await show(first.id)
  }

  async function clear(): Promise<void> {
    absent.value = null
    await dataset.leave()
    run.clear()
    looks.clear()
    datasets.value = []
    notes.value = new Map()
    name.value = null
    savedContent.value = null
    currentView.value = null
  }

  /** Answers the sentence that tells what came of it; null when the person turned back. */
  async function open(token: string): Promise<OpenedSession | null> {
    await report()
    busy.value = 'opening'
    try {
      const opened = await ask('app.open-session', { token })
      if (opened) await adopt(opened)
      return opened
    } finally {
      busy.value = null
    }
  }

  async function begin(): Promise<void> {
    await report()
    if (await ask('app.new-session', {})) await clear()
  }

  /** True where it is saved now. */
  async function save(as: boolean): Promise<boolean> {
    if (busy.value !== null) return false
    busy.value = 'saving'
    const written = content.value
    try {
      const saved = await ask('app.save-session', { state: plain(state.value), as })
      if (!saved) return false
      name.value = saved.name
      savedContent.value = written
      return true
    } finally {
      busy.value = null
    }
  }

  /** Main keeps it against a kill. */
  async function report(): Promise<void> {
    await ask('app.session-state', { state: plain(state.value), unsaved: unsaved.value }).catch(
      (thrown: unknown) => {
        console.warn(toErrorReport(thrown).message)
      },
    )
  }

  return {
    name,
    facts,
    datasets,
    notes,
    absent,
    busy,
    progress,
    cancelling,
    state,
    unsaved,
    shownId,
    currentView,
    restoring,
    find,
    noteOf,
    note,
    add,
    drop,
    leaveView,
    show,
    tryAgain,
    locate,
    close,
    adopt,
    open,
    begin,
    save,
    report,
    subscribe,
    cancel,
  }
})

const emptyView: DatasetView = {
  ...{ config: {}, x: { kind: 'row' }, y: { kind: 'row' }, shownRun: null, colourBy: null, view: 'clusters' },
}

/** What crosses to main is no proxy. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.search(/[/\\][^/\\]*$/u)))
}
