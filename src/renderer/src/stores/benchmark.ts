/**
 * The comparison that is shown, the one that runs, and those that were kept. Documents can be large and are replaced,
 * never changed.
 */
import type {
  BenchmarkDocument,
  BenchmarkState,
  KeptComparisons,
  Measurement,
} from '@shared/benchmark/document'
import type { BenchmarkEvent } from '@shared/benchmark/requests'
import type { Suite } from '@shared/benchmark/suite'
import { toErrorReport, type ErrorReport } from '@shared/errors'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { t } from '@/i18n'
import { ask, listen } from '@/api'
import { withRows } from '@shared/benchmark/cells'
import { fetchDocument } from './benchmark-document'
import { createEventHook } from './event-hook'

export type BenchmarkPage = 'setup' | 'comparison' | 'kept'
export type BenchmarkProgress = Extract<BenchmarkEvent, { kind: 'progress' }> & {
  /** `performance.now()` when it came. */
  readonly atMs: number
}
/** What was asked for and is not there yet. */
export type Pending = 'starting' | 'pausing' | 'cancelling' | 'resuming' | 'opening'

export const useBenchmarkStore = defineStore('benchmark', () => {
  const page = ref<BenchmarkPage>('setup')
  /** Shown while nothing is loaded, instead of the first screen. */
  const standalone = ref(false)
  const document = shallowRef<BenchmarkDocument | null>(null)
  const runningId = ref<string | null>(null)
  const progress = shallowRef<BenchmarkProgress | null>(null)
  const pending = ref<Pending | null>(null)
  const error = shallowRef<ErrorReport | null>(null)
  const kept = shallowRef<KeptComparisons>({ comparisons: [], damaged: [] })
  /** Key of the contender to which speed-ups refer now; it can be another than the suite's. */
  const baseline = ref('')
  /** Rows that came before the document to which they belong. */
  let early: { readonly benchId: string; readonly row: Measurement }[] = []
  /** Events that came before the answer that names the comparison. */
  let unnamed: BenchmarkEvent[] = []
  let planning = false
  /** Cases of the comparison under way. */
  let running: Suite['cases'] = []
  const begun = createEventHook()
  const over = createEventHook<string>()

  const busy = computed(() => runningId.value !== null || pending.value === 'starting')
  /** How much of the comparison under way is done, 0 to 1; null while none tells. */
  const share = computed(() => {
    if (runningId.value === null || !progress.value) return null
    const { runsDone, runs } = progress.value
    return runs > 0 ? Math.min(1, runsDone / runs) : 0
  })
  const shownRuns = computed(() => runningId.value !== null && document.value?.id === runningId.value)

  function subscribe(): void {
    listen('bench.event', receive)
  }

  function receive(event: BenchmarkEvent): void {
    if (pending.value === 'starting') unnamed.push(event)
    else if (event.benchId === runningId.value) apply(event)
  }

  function apply(event: BenchmarkEvent): void {
    if (event.kind !== 'done' && document.value?.plan.length === 0) void refreshPlan(event.benchId)
    if (event.kind === 'progress') {
      progress.value = { ...event, atMs: performance.now() }
      if (pending.value === 'resuming') pending.value = null
    } else if (event.kind === 'row') addRow(event.benchId, event.row)
    else ended(event)
  }

  function addRow(benchId: string, row: Measurement): void {
    const shown = document.value
    if (shown?.id === benchId) document.value = { ...shown, rows: withRows(shown, [row]) }
    else early.push({ benchId, row })
  }

  function ended(event: Exclude<BenchmarkEvent, { kind: 'progress' | 'row' }>): void {
    if (event.kind === 'failed')
      error.value = { kind: 'internal', code: 'benchmark.failed', message: event.sentence, details: null }
    finish(event.kind === 'failed' ? 'interrupted' : event.kind)
    void refreshShown(event.benchId)
  }

  /** Nothing runs any more: what was measured so far stays on screen. */
  function finish(state: BenchmarkState): void {
    const shown = document.value
    const benchId = runningId.value
    if (shown && shown.id === benchId) document.value = { ...shown, state }
    runningId.value = null
    running = []
    progress.value = null
    pending.value = null
    if (benchId !== null) over.trigger(benchId)
    void refreshKept()
  }

  function fail(thrown: unknown): void {
    const report = toErrorReport(thrown)
    if (report.kind !== 'cancelled') error.value = report
  }

  function show(next: BenchmarkDocument): void {
    if (document.value?.id !== next.id) baseline.value = next.suite.baseline
    const own = early.filter(({ benchId }) => benchId === next.id)
    document.value = {
      ...next,
      rows: withRows(
        next,
        own.map(({ row }) => row),
      ),
    }
    early = early.filter(({ benchId }) => benchId === runningId.value && benchId !== next.id)
    page.value = 'comparison'
  }

  async function refreshShown(benchId: string): Promise<void> {
    try {
      const next = await fetchDocument(benchId)
      if (document.value?.id === benchId) document.value = next
    } catch (thrown) {
      fail(thrown)
    }
  }

  /** What was shown before it was planned gets its plan as soon as it works. */
  async function refreshPlan(benchId: string): Promise<void> {
    if (planning) return
    planning = true
    const next = await fetchDocument(benchId).catch(() => null)
    planning = false
    const shown = document.value
    if (next && shown?.id === benchId && benchId === runningId.value)
      document.value = { ...next, rows: withRows(next, shown.rows) }
  }

  async function start(suite: Suite): Promise<void> {
    if (busy.value) return
    pending.value = 'starting'
    error.value = null
    early = []
    unnamed = []
    begun.trigger()
    try {
      const { benchId } = await ask('app.bench-start', { suite })
      runningId.value = benchId
      running = suite.cases
      pending.value = null
      progress.value = null
      for (const event of unnamed) receive(event)
      show(await fetchDocument(benchId))
    } catch (thrown) {
      pending.value = null
      fail(thrown)
    }
    void refreshKept()
  }

  async function during(what: Pending, work: () => Promise<unknown>, stays: boolean): Promise<void> {
    pending.value = what
    error.value = null
    try {
      await work()
      if (!stays && pending.value === what) pending.value = null
    } catch (thrown) {
      if (pending.value === what) pending.value = null
      fail(thrown)
    }
  }

  async function pause(): Promise<void> {
    const benchId = runningId.value
    // Until the run that is under way is over, the person is told that it will pause.
    if (benchId !== null) await during('pausing', () => ask('bench.pause', { benchId }), true)
  }

  async function cancel(): Promise<void> {
    const benchId = runningId.value
    if (benchId !== null) await during('cancelling', () => ask('bench.cancel', { benchId }), true)
  }

  /** The shown one, which is paused: it tells no end, its document does. */
  async function cancelPaused(): Promise<void> {
    const shown = document.value
    if (shown?.state !== 'paused' || shownRuns.value || pending.value !== null) return
    const work = async () => {
      await ask('bench.cancel', { benchId: shown.id })
      await refreshShown(shown.id)
    }
    await during('cancelling', work, false)
    void refreshKept()
  }

  async function resume(): Promise<void> {
    const shown = document.value
    if (!shown || busy.value) return
    await during('resuming', () => goOn(shown), false)
  }

  async function goOn(shown: BenchmarkDocument): Promise<void> {
    early = []
    runningId.value = shown.id
    running = shown.suite.cases
    progress.value = null
    document.value = { ...shown, state: 'running', finishedAt: null }
    begun.trigger()
    try {
      await ask('bench.resume', { benchId: shown.id })
    } catch (thrown) {
      runningId.value = null
      running = []
      document.value = shown
      over.trigger(shown.id)
      throw thrown
    }
    await learnFiles(shown)
  }

  /** A file that was opened again since has another id than the comparison began with. */
  async function learnFiles({ id, suite }: BenchmarkDocument): Promise<void> {
    if (suite.cases.every(({ dataset }) => dataset.kind !== 'loaded')) return
    const next = await fetchDocument(id).catch(() => null)
    if (next && runningId.value === id) running = next.suite.cases
  }

  async function open(benchId: string): Promise<void> {
    await during('opening', async () => show(await fetchDocument(benchId)), false)
  }

  async function forget(benchId: string): Promise<void> {
    try {
      await ask('bench.forget', { benchId })
      if (document.value?.id === benchId) document.value = null
      await refreshKept()
    } catch (thrown) {
      fail(thrown)
    }
  }

  /** What could not be read now is read at the next occasion: the list is no reason for an error. */
  async function refreshKept(): Promise<void> {
    kept.value = await ask('bench.list', {}).catch(() => kept.value)
  }

  /** Whether what is being measured is read from this loaded file. */
  function measures(datasetId: string): boolean {
    return running.some(({ dataset }) => dataset.kind === 'loaded' && dataset.datasetId === datasetId)
  }

  /** The engine process died: finished rows stay, and what is missing can be resumed. */
  function engineLost(reason: string): void {
    if (!busy.value) return
    finish('interrupted')
    error.value = {
      kind: 'engine-lost',
      code: 'engine.lost',
      message: t('benchmark.theEngineProcessEndedUnexpectedlyAnd'),
      details: reason,
    }
  }

  return {
    page,
    standalone,
    document,
    runningId,
    progress,
    pending,
    error,
    kept,
    baseline,
    busy,
    share,
    shownRuns,
    subscribe,
    start,
    pause,
    cancel,
    cancelPaused,
    resume,
    open,
    forget,
    refreshKept,
    measures,
    engineLost,
    /** One is asked for, or goes on. */
    onBegun: begun.on,
    /** Nothing is measured any more, of the one with this id. */
    onOver: over.on,
  }
})
