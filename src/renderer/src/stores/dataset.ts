/** The loaded dataset, or how far its loading is, or why it failed. The numbers stay in the engine host. */
import type { DatasetProgress, DatasetSummary, ImportOverrides, ImportPreview } from '@shared/dataset'
import { toErrorReport, type ErrorReport } from '@shared/errors'
import type { ChosenFile } from '@shared/chosen-file'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { ask, listen, registerDrop } from '@/api'
import { useBenchmarkStore } from './benchmark'
import { createEventHook } from './event-hook'
import { useQueueStore } from './queue'
import { useRunStore } from './run'

export type DatasetState = 'empty' | 'loading' | 'ready' | 'failed'

interface Named {
  readonly token: string
  readonly name: string
}

/** A file that was looked at, and how it is or would be read. */
export interface ImportSource extends Named {
  /** What detection alone says: what a setting taken back returns to. */
  readonly detected: ImportPreview
  /** What is said of the file under `overrides`. */
  readonly preview: ImportPreview
  readonly overrides: ImportOverrides
}

/** A source whose reading is being judged in the import preview; `again`: it is the loaded file. */
export interface ImportReview {
  readonly source: ImportSource
  readonly again: boolean
}

export const useDatasetStore = defineStore('dataset', () => {
  const state = ref<DatasetState>('empty')
  const summary = shallowRef<DatasetSummary | null>(null)
  /** How the loaded file was read; always of the same file as `summary`. */
  const source = shallowRef<ImportSource | null>(null)
  /** The loaded file is the one that was loaded before it, read another way. */
  const sameFile = ref(false)
  const opening = shallowRef<Named | null>(null)
  const progress = shallowRef<DatasetProgress | null>(null)
  const error = shallowRef<ErrorReport | null>(null)
  /** What `error` is about, when its settings could be changed to mend it. */
  const refused = shallowRef<ImportSource | null>(null)
  const review = shallowRef<ImportReview | null>(null)
  /** A folder that was dropped or opened; the view of steps takes it from here. */
  const folder = shallowRef<ChosenFile | null>(null)
  /** A run.json that was dropped or opened; it is verified, not loaded. */
  const runFile = shallowRef<ChosenFile | null>(null)
  const benchmark = useBenchmarkStore()
  const queue = useQueueStore()
  const run = useRunStore()
  const measured = new Set<string>()
  const opened = createEventHook<DatasetSummary>()
  const refusal = createEventHook()
  const session = createEventHook<ChosenFile>()

  function subscribe(): void {
    listen('dataset.progress', (payload) => {
      if (state.value === 'loading') progress.value = payload
    })
    listen('app.open-file', (file) => void take(file))
  }

  function begin(file: Named): Named {
    void cancel()
    const mine = { token: file.token, name: file.name }
    opening.value = mine
    progress.value = null
    error.value = null
    refused.value = null
    state.value = 'loading'
    return mine
  }

  function finish(failure: ErrorReport | null): void {
    opening.value = null
    progress.value = null
    error.value = failure
    if (summary.value) state.value = 'ready'
    else state.value = failure ? 'failed' : 'empty'
    if (failure) refusal.trigger()
  }

  /** An opening that was cancelled, or overtaken by another, has no say any more. */
  function fail(mine: Named | null, thrown: unknown): boolean {
    if (opening.value !== mine) return false
    const report = toErrorReport(thrown)
    finish(report.kind === 'cancelled' ? null : report)
    return report.kind !== 'cancelled'
  }

  /**
   * A dataset nobody shows any more; one whose times are being measured stays until that is over. A host that died
   * meanwhile has nothing to close.
   */
  async function close(datasetId: string): Promise<void> {
    if (benchmark.measures(datasetId)) {
      measured.add(datasetId)
      return
    }
    await ask('dataset.close', { datasetId }).catch(() => null)
  }

  /** Closes what was kept open only for the comparison that is over now. */
  function closeMeasured(): void {
    const over = [...measured]
    measured.clear()
    for (const id of over) void close(id)
  }

  async function adopt(next: DatasetSummary, from: ImportSource): Promise<void> {
    const previous = summary.value
    sameFile.value = source.value?.token === from.token
    source.value = from
    summary.value = next
    finish(null)
    opened.trigger(next)
    if (previous && previous.id !== next.id) await close(previous.id)
  }

  /** Looks at a file first: what is read without doubt loads at once, what is doubtful opens the preview. */
  async function open(token: string, name: string): Promise<void> {
    const mine = begin({ token, name })
    try {
      const preview = await ask('app.preview', { token, overrides: {} })
      if (opening.value !== mine) return
      const from = { token, name, detected: preview, preview, overrides: {} }
      if (!preview.doubtful) return await read(mine, from)
      finish(null)
      review.value = { source: from, again: false }
    } catch (thrown) {
      fail(mine, thrown)
    }
  }

  /** Loads a dataset of the session again, as it was read before, without a question. */
  async function reopen(datasetId: string, file: Named, overrides: ImportOverrides): Promise<void> {
    const mine = begin(file)
    try {
      const detected = await ask('app.preview', { token: file.token, overrides: {} })
      const preview = await ask('app.preview', { token: file.token, overrides })
      if (opening.value === mine) await read(mine, { ...mine, detected, preview, overrides }, datasetId)
    } catch (thrown) {
      fail(mine, thrown)
    }
  }

  /** Loads a file as `from` says. The dataset that is open stays until then, and is kept if that fails. */
  async function load(from: ImportSource): Promise<void> {
    await read(begin(from), from)
  }

  async function read(mine: Named, from: ImportSource, datasetId?: string): Promise<void> {
    const { token, overrides } = from
    try {
      const loaded = await (datasetId === undefined
        ? ask('app.open', { token, overrides })
        : ask('app.show-dataset', { datasetId }))
      if (opening.value === mine) await adopt(loaded, from)
      else await close(loaded.id)
    } catch (thrown) {
      if (fail(mine, thrown)) refused.value = from
    }
  }

  /** What a file must not overtake. A comparison under way needs no file of the window, and those after it do not. */
  const isWaiting = (): boolean => queue.hasFiles || (queue.waiting.length > 0 && !benchmark.busy)

  /** Opens a file, after a run that is under way; a folder is handed on through `folder`. */
  async function take(chosen: ChosenFile): Promise<void> {
    const { token, name } = chosen
    if (chosen.kind === 'folder') folder.value = chosen
    else if (chosen.kind === 'run') runFile.value = chosen
    else if (run.busy || run.broken || isWaiting())
      queue.add({ kind: 'open', token, name, ...(chosen.kind === 'session' && { isSession: true }) })
    else if (chosen.kind === 'session') session.trigger(chosen)
    else await open(token, name)
  }

  async function takeFrom(choice: Promise<ChosenFile | null>): Promise<void> {
    try {
      const chosen = await choice
      if (chosen) await take(chosen)
    } catch (thrown) {
      error.value = toErrorReport(thrown)
      if (state.value === 'empty') state.value = 'failed'
      refusal.trigger()
    }
  }

  const choose = (): Promise<void> => takeFrom(ask('app.choose-file', {}))
  const drop = (file: File): Promise<void> => takeFrom(registerDrop(file))

  /** Opens the import preview for the loaded file, or for one that was refused (`refused`). */
  function reviewImport(from: ImportSource | null = source.value): void {
    if (from && !opening.value && !review.value) review.value = { source: from, again: from === source.value }
  }

  /** Nothing is shown any more: the session is another one, or a file of it is not to be had. */
  async function leave(): Promise<void> {
    await cancel()
    const previous = summary.value
    summary.value = null
    source.value = null
    error.value = null
    refused.value = null
    state.value = 'empty'
    if (previous) await close(previous.id)
  }

  /** Leaves the import preview or stops loading; what was open before stays. */
  async function cancel(): Promise<void> {
    review.value = null
    const current = opening.value
    if (!current) return
    finish(null)
    await ask('app.cancel-open', { token: current.token }).catch(() => null)
  }

  return {
    state,
    summary,
    source,
    sameFile,
    opening,
    progress,
    error,
    refused,
    review,
    folder,
    runFile,
    subscribe,
    open,
    reopen,
    load,
    take,
    choose,
    drop,
    reviewImport,
    cancel,
    leave,
    closeMeasured,
    /** A file is there, loaded for the first time or read anew. */
    onOpened: opened.on,
    /** A file could not be opened: `error` says why. */
    onRefused: refusal.on,
    /** A .clab was chosen, dropped, or named on the command line. */
    onSession: session.on,
  }
})
