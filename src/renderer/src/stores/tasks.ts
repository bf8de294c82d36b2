/** Work of the engine host that a person waits for in a dialog: one at a time, with how far it is and a way out. */
import { toErrorReport, type ErrorReport } from '@shared/errors'
import type { ReuseProgress } from '@shared/reuse-requests'
import { ref, shallowRef } from 'vue'
import { ask, listen } from '@/api'

/** A task of a dialog. `run` answers null where it was cancelled, failed, or overtaken by another. */
export function useTask() {
  const progress = shallowRef<Pick<ReuseProgress, 'stage' | 'share'> | null>(null)
  const error = shallowRef<ErrorReport | null>(null)
  const busy = ref(false)
  const cancelling = ref(false)
  let current: string | null = null
  let isListening = false

  function subscribe(): void {
    if (isListening) return
    isListening = true
    listen('reuse.progress', ({ taskId, stage, share }) => {
      if (taskId === current) progress.value = { stage, share }
    })
  }

  async function run<T>(work: (taskId: string) => Promise<T>): Promise<T | null> {
    subscribe()
    const taskId = crypto.randomUUID()
    await cancel()
    current = taskId
    busy.value = true
    error.value = null
    progress.value = null
    cancelling.value = false
    try {
      const answer = await work(taskId)
      return current === taskId ? answer : null
    } catch (thrown) {
      const report = toErrorReport(thrown)
      if (current === taskId && report.kind !== 'cancelled') error.value = report
      return null
    } finally {
      if (current === taskId) {
        current = null
        busy.value = false
        cancelling.value = false
      }
    }
  }

  /** What was asked for is not wanted any more. */
  async function cancel(): Promise<void> {
    if (current === null) return
    cancelling.value = true
    await ask('reuse.cancel', { taskId: current }).catch(() => null)
  }

  return { progress, error, busy, cancelling, run, cancel }
}
