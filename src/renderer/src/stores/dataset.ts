/** The loaded dataset, or how far its loading is, or why it failed. The numbers stay in the engine host. */
import type { DatasetProgress, DatasetSummary } from '@shared/dataset'
import { toErrorReport, type ErrorReport } from '@shared/errors'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { ask, listen, registerDrop } from '@/api'

export type DatasetState = 'empty' | 'loading' | 'ready' | 'failed'
interface Opening {
  readonly token: string
  readonly name: string
}

export const useDatasetStore = defineStore('dataset', () => {
  const state = ref<DatasetState>('empty')
  const summary = shallowRef<DatasetSummary | null>(null)
  const opening = shallowRef<Opening | null>(null)
  const progress = shallowRef<DatasetProgress | null>(null)
  const error = shallowRef<ErrorReport | null>(null)

  function subscribe(): void {
    listen('dataset.progress', (payload) => {
      if (state.value === 'loading') progress.value = payload
    })
    listen('app.open-file', (file) => void open(file.token, file.name))
  }

  function begin(token: string, name: string): Opening {
    const mine = { token, name }
    opening.value = mine
    progress.value = null
    error.value = null
    state.value = 'loading'
    return mine
  }

  function settle(failure: ErrorReport | null): void {
    opening.value = null
    error.value = failure
    if (summary.value) state.value = 'ready'
    else state.value = failure ? 'failed' : 'empty'
  }

  async function replace(next: DatasetSummary): Promise<void> {
    const previous = summary.value
    summary.value = next
    settle(null)
    if (previous && previous.id !== next.id) await ask('dataset.close', { datasetId: previous.id })
  }

  /** Opens a file by token. A file already open stays until the new one is loaded, and is kept if that fails. */
  async function open(token: string, name: string): Promise<void> {
    if (opening.value) await cancel()
    const mine = begin(token, name)
    try {
      const loaded = await ask('app.open', { token, overrides: {} })
      if (opening.value === mine) await replace(loaded)
      else await ask('dataset.close', { datasetId: loaded.id })
    } catch (thrown) {
      if (opening.value !== mine && opening.value !== null) return
      const report = toErrorReport(thrown)
      settle(report.kind === 'cancelled' ? null : report)
    }
  }

  async function choose(): Promise<void> {
    try {
      const file = await ask('app.choose-file', {})
      if (file) await open(file.token, file.name)
    } catch (thrown) {
      settle(toErrorReport(thrown))
    }
  }

  async function drop(file: File): Promise<void> {
    try {
      const registered = await registerDrop(file)
      await open(registered.token, registered.name)
    } catch (thrown) {
      settle(toErrorReport(thrown))
    }
  }

  async function cancel(): Promise<void> {
    const current = opening.value
    if (!current) return
    settle(null)
    await ask('app.cancel-open', { token: current.token }).catch(() => null)
  }

  return { state, summary, opening, progress, error, subscribe, open, choose, drop, cancel }
})
