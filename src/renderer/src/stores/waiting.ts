/** What a person waits for besides a run, with how far it is and a way out: told in the middle of the view and in the status bar. */
import { assignmentsFileName, exportFileNames, type ExportPart } from '@shared/ipc'
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { t } from '@/i18n'
import { loadingProgress, readingProgress, remainingAt, writingProgress } from '@/text/waiting'
import { useDatasetStore } from './dataset'
import { useExportingStore } from './exporting'
import { useSessionStore } from './session'

export interface Waiting {
  readonly kind: 'loading' | 'exporting' | 'saving'
  /** `Loading iris.csv`. */
  readonly title: string
  readonly words: string
  /** 0 to 1; null where nobody knows yet. */
  readonly share: number | null
  /** Empty while nobody knows. */
  readonly remaining: string
  readonly cancelling: boolean
}

function partWords(kind: ExportPart): string {
  if (kind === 'steps') return t('window.theStepPairs')
  return kind === 'assignments' ? assignmentsFileName : exportFileNames[kind]
}

export const useWaitingStore = defineStore('waiting', () => {
  const dataset = useDatasetStore()
  const exporting = useExportingStore()
  const session = useSessionStore()
  /** When what is waited for began, as `performance.now` has it. */
  const sinceMs = ref(0)

  watch(
    () => [dataset.opening, exporting.runId, exporting.progress?.kind, session.progress?.doing] as const,
    () => (sinceMs.value = performance.now()),
    { flush: 'sync' },
  )

  const loading = computed((): Waiting | null => {
    if (dataset.opening === null) return null
    const progress = loadingProgress(dataset.progress)
    const remaining = remainingAt(progress.share, performance.now() - sinceMs.value)
    const title = t('window.loading', [dataset.opening.name])
    return { kind: 'loading', title, ...progress, remaining, cancelling: false }
  })

  const writing = computed((): Waiting | null => {
    if (!exporting.busy) return null
    const about = { kind: 'exporting', cancelling: exporting.cancelling } as const
    if (exporting.cancelling)
      return { ...about, title: t('window.cancellingTheExport'), words: '', share: null, remaining: '' }
    const { progress } = exporting
    if (progress === null)
      return { ...about, title: t('window.exporting'), words: '', share: null, remaining: '' }
    const { words, share } = writingProgress(progress.rows, progress.totalRows)
    const remaining = remainingAt(share, performance.now() - sinceMs.value)
    return { ...about, title: t('window.writing', [partWords(progress.kind)]), words, share, remaining }
  })

  /** A .clab that is opened is loaded as a file is; one that is saved is not an export. */
  const ofSession = computed((): Waiting | null => {
    const { progress, cancelling } = session
    if (progress === null) return null
    const isSaving = progress.doing === 'saving'
    const title = t(isSaving ? 'session.savingName' : 'start.opening', [progress.name])
    const about = { kind: isSaving ? 'saving' : 'loading', title, cancelling } as const
    if (cancelling) return { ...about, words: t('session.cancelling'), share: null, remaining: '' }
    const { words, share } = isSaving
      ? writingProgress(progress.rows, progress.totalRows)
      : readingProgress(progress.bytes, progress.totalBytes)
    return { ...about, words, share, remaining: remainingAt(share, performance.now() - sinceMs.value) }
  })

  const current = computed(() => loading.value ?? ofSession.value ?? writing.value)

  function cancel(): void {
    if (loading.value) void dataset.cancel()
    else if (ofSession.value) void session.cancel()
    else void exporting.cancel()
  }

  return { current, cancel }
})
