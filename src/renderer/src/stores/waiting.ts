/** What a person waits for besides a run, with how far it is and a way out: told in the middle of the view and in the status bar. */
import { assignmentsFileName, exportFileNames, type ExportPart } from '@shared/ipc'
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { t } from '@/i18n'
import { loadingProgress, remainingAt, writingProgress } from '@/text/waiting'
import { useDatasetStore } from './dataset'
import { useExportingStore } from './exporting'

export interface Waiting {
  readonly kind: 'loading' | 'exporting'
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
  /** When what is waited for began, as `performance.now` has it. */
  const sinceMs = ref(0)

  watch(
    () => [dataset.opening, exporting.runId, exporting.progress?.kind] as const,
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

  const current = computed(() => loading.value ?? writing.value)

  function cancel(): void {
    if (current.value?.kind === 'loading') void dataset.cancel()
    else void exporting.cancel()
  }

  return { current, cancel }
})
