/** Rows of another file, assigned to the clusters of a run: one file at a time, in a dialog. */
import { toErrorReport } from '@shared/errors'
import type { ChosenFile } from '@shared/chosen-file'
import type { AssignedFile } from '@shared/reuse-requests'
import type { TextChoice } from '@shared/text-choice'
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { ask, registerDrop } from '@/api'
import { t } from '@/i18n'
import { useAppStore } from './app'
import { useRunStore } from './run'
import { useTask } from './tasks'

export const usePredictionStore = defineStore('prediction', () => {
  const app = useAppStore()
  const run = useRunStore()
  const task = useTask()
  const runId = shallowRef<string | null>(null)
  const file = shallowRef<ChosenFile | null>(null)
  const assigned = shallowRef<AssignedFile | null>(null)
  /** Of the run whose clusters they are. */
  const record = computed(() => run.results.find((one) => one.record.id === runId.value)?.record ?? null)
  const open = computed(() => file.value !== null && record.value !== null)

  /** Asks for a file and assigns its rows. */
  async function choose(toRun: string): Promise<void> {
    await take(toRun, ask('app.choose-file', {}))
  }

  async function drop(toRun: string, dropped: File): Promise<void> {
    await take(toRun, registerDrop(dropped))
  }

  async function take(toRun: string, choice: Promise<ChosenFile | null>): Promise<void> {
    try {
      const chosen = await choice
      if (chosen?.kind === 'file') await assign(toRun, chosen)
      else if (chosen) app.announce(t('reuse.noTable', [chosen.name]))
    } catch (thrown) {
      app.fail(toErrorReport(thrown))
    }
  }

  async function assign(toRun: string, chosen: ChosenFile): Promise<void> {
    release()
    runId.value = toRun
    file.value = chosen
    const answer = await task.run((taskId) =>
      ask('app.predict', { taskId, runId: toRun, token: chosen.token }),
    )
    if (answer && file.value === chosen) {
      assigned.value = answer
      return
    }
    if (answer) await ask('predict.close', { predictionId: answer.predictionId }).catch(() => null)
    // Cancelled: there is nothing to see.
    if (!answer && file.value === chosen && task.error.value === null) close()
  }

  /** Null when the person closed the dialog of the file. */
  function save(text: TextChoice): Promise<{ path: string; bytes: number } | null> {
    if (!assigned.value) return Promise.resolve(null)
    return ask('app.export-assignments', { predictionId: assigned.value.predictionId, ...text })
  }

  function release(): void {
    const predictionId = assigned.value?.predictionId
    assigned.value = null
    if (predictionId !== undefined) void ask('predict.close', { predictionId }).catch(() => null)
  }

  function close(): void {
    void task.cancel()
    release()
    file.value = null
    runId.value = null
  }

  return {
    runId,
    file,
    record,
    assigned,
    open,
    progress: task.progress,
    error: task.error,
    busy: task.busy,
    cancelling: task.cancelling,
    choose,
    drop,
    save,
    close,
    cancel: task.cancel,
  }
})
