/** Runs that are made again to see whether they come out the same: of the session, or kept in a run.json. */
import type { ChosenFile } from '@shared/chosen-file'
import { toErrorReport } from '@shared/errors'
import { dataMissing, type KeptRunFacts } from '@shared/reuse-requests'
import type { RunVerification, VerificationMark } from '@shared/verification'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { ask } from '@/api'
import { useAppStore } from './app'
import { useRunStore } from './run'
import { useTask } from './tasks'

/** What is verified in the dialog: a run of the list, or a run.json. */
export type Verified =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'file'; readonly file: ChosenFile; readonly facts: KeptRunFacts }

export const useVerificationStore = defineStore('verification', () => {
  const app = useAppStore()
  const run = useRunStore()
  const task = useTask()
  const subject = shallowRef<Verified | null>(null)
  const found = shallowRef<RunVerification | null>(null)
  /** Name of the data file that was found for a run.json. */
  const dataName = ref('')
  /** Since the session began; earlier ones stand in the record. */
  const marks = shallowRef<ReadonlyMap<string, VerificationMark>>(new Map())
  const needsData = computed(() => task.error.value?.code === dataMissing)

  const record = computed(() => {
    const { value } = subject
    if (value?.kind !== 'run') return null
    return run.results.find((one) => one.record.id === value.runId)?.record ?? null
  })

  /** Of a run, the last time that somebody made it again. */
  function markOf(runId: string): VerificationMark | null {
    const own = run.results.find((one) => one.record.id === runId)?.record.verified
    return marks.value.get(runId) ?? own ?? null
  }

  async function verifyRun(runId: string): Promise<void> {
    subject.value = { kind: 'run', runId }
    await begin(null)
  }

  /** Tells what a run.json is of; the person then says whether to make it again. */
  async function offer(file: ChosenFile): Promise<void> {
    try {
      const facts = await ask('app.describe-run', { token: file.token })
      found.value = null
      task.error.value = null
      subject.value = { kind: 'file', file, facts }
    } catch (thrown) {
      app.fail(toErrorReport(thrown))
    }
  }

  /** @param data token of the data file, where the person named it */
  async function begin(data: string | null): Promise<void> {
    const of = subject.value
    if (of === null) return
    found.value = null
    dataName.value = ''
    const answer = await task.run(async (taskId) => {
      if (of.kind === 'run') return ask('app.verify', { taskId, runId: of.runId, data })
      const made = await ask('app.verify-file', { taskId, token: of.file.token, data })
      if (subject.value === of) dataName.value = made.dataName
      return made.verification
    })
    if (answer && of.kind === 'run') mark(of.runId, answer)
    if (subject.value !== of) return
    found.value = answer
    if (!answer && task.error.value === null && of.kind === 'run') close()
  }

  function mark(runId: string, { verdict, resultSha256 }: RunVerification): void {
    const at = new Date().toISOString()
    marks.value = new Map(marks.value).set(runId, { verdict, resultSha256, at })
  }

  /** The data file of the run has another name or place now. */
  async function chooseData(): Promise<void> {
    try {
      const chosen = await ask('app.choose-file', {})
      if (chosen) await begin(chosen.token)
    } catch (thrown) {
      app.fail(toErrorReport(thrown))
    }
  }

  function close(): void {
    void task.cancel()
    subject.value = null
    found.value = null
  }

  return {
    subject,
    record,
    found,
    dataName,
    needsData,
    progress: task.progress,
    error: task.error,
    busy: task.busy,
    cancelling: task.cancelling,
    markOf,
    verifyRun,
    offer,
    begin,
    chooseData,
    close,
    cancel: task.cancel,
  }
})
