/** The scan over k of the open file: one at a time, kept as far as it came. */
import { assertNever } from '@shared/assert-never'
import { toErrorReport, type ErrorReport } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import type { ScanConfig, ScanEvent, ScannedK, ScanRecord, ScanRestart, ScanSuggestions } from '@shared/scan'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { ask, listen } from '@/api'
import { newScanDraft } from '@/text/scan-draft'

export type ScanState = 'idle' | 'starting' | 'running' | 'done' | 'cancelled' | 'failed'

/** A finished k whose best restart is a run of the session. */
export interface TakenRun {
  readonly record: RunRecord
  readonly datasetId: string
  /** What would make it again. */
  readonly asked: RunConfig
}

/** What is known of a scan, before it is done and after. */
export interface ScanShown {
  readonly id: string
  readonly config: ScanConfig
  /** Finished ones, ascending. */
  readonly rows: readonly ScannedK[]
  readonly suggestions: ScanSuggestions
  /** Restarts of a k that is not finished. */
  readonly pending: readonly ScanRestart[]
  readonly isComplete: boolean
  readonly warnings: readonly string[]
  readonly seconds: number | null
}

const noSuggestions: ScanSuggestions = {
  ...{ knee: null, silhouette: null, calinskiHarabasz: null, daviesBouldin: null, gap: null },
}

const shownOf = ({
  id,
  config,
  rows,
  pending,
  suggestions,
  isComplete,
  warnings,
  seconds,
}: ScanRecord): ScanShown => ({
  ...{ id, config, rows, pending, suggestions, isComplete, warnings, seconds },
})

const withRow = (rows: readonly ScannedK[], row: ScannedK): readonly ScannedK[] =>
  [...rows.filter(({ k }) => k !== row.k), row].sort((a, b) => a.k - b.k)

export const useScanStore = defineStore('scan', () => {
  const state = ref<ScanState>('idle')
  const shown = shallowRef<ScanShown | null>(null)
  const error = shallowRef<ErrorReport | null>(null)
  /** Restarts that are done, of those of the whole scan. */
  const progress = shallowRef<{ readonly done: number; readonly total: number } | null>(null)
  const cancelling = ref(false)
  /** When the part that runs now began, and how much was done then. */
  const since = shallowRef({ ms: 0, done: 0 })
  const draft = ref(newScanDraft())
  /** The k that is looked at in all curves. */
  const chosen = ref<number | null>(null)
  /** Runs made of finished k, by k. */
  const taken = shallowRef<ReadonlyMap<number, string>>(new Map())
  /** The engine that had the scan is gone: it can be read, not resumed. */
  const detached = ref(false)
  const busy = computed(() => state.value === 'starting' || state.value === 'running')
  const canResume = computed(
    () => !busy.value && !detached.value && shown.value !== null && !shown.value.isComplete,
  )
  let datasetId = ''
  let early: ScanEvent[] = []
  let generation = 0

  function subscribe(): void {
    listen('scan.event', receive)
  }

  function receive(event: ScanEvent): void {
    // Events may overtake the answer that names the scan.
    if (state.value === 'starting') early.push(event)
    else if (shown.value?.id === event.scanId) apply(event, shown.value)
  }

  function apply(event: ScanEvent, now: ScanShown): void {
    switch (event.kind) {
      case 'restart':
        progress.value = { done: event.done, total: event.total }
        shown.value = { ...now, pending: [...now.pending, event.restart] }
        return
      case 'k':
        shown.value = {
          ...now,
          rows: withRow(now.rows, event.row),
          suggestions: event.suggestions,
          pending: now.pending.filter(({ k }) => k !== event.row.k),
        }
        return
      case 'done':
      case 'cancelled':
        return end(event.kind, event.record)
      case 'failed':
        error.value = event.error
        return end('failed', event.record)
      default:
        assertNever(event, 'scan event')
    }
  }

  function end(next: ScanState, record: ScanRecord): void {
    shown.value = shownOf(record)
    finish(next)
  }

  function finish(next: ScanState): void {
    state.value = next
    cancelling.value = false
    progress.value = null
  }

  function fail(thrown: unknown): void {
    failWith(toErrorReport(thrown))
  }

  function failWith(report: ErrorReport): void {
    error.value = report
    finish('failed')
  }

  /** Starts anew; the scan before is let go, its runs stay. */
  async function start(config: ScanConfig): Promise<void> {
    if (busy.value) return
    const before = shown.value
    const mine = begin()
    taken.value = new Map()
    chosen.value = null
    try {
      const { scanId } = await ask('scan.start', { datasetId, config })
      if (mine !== generation) return void ask('scan.cancel', { scanId }).catch(() => null)
      if (before) ask('scan.forget', { scanId: before.id }).catch(() => null)
      detached.value = false
      const facts = { isComplete: false, warnings: [], seconds: null }
      shown.value = { id: scanId, config, rows: [], suggestions: noSuggestions, pending: [], ...facts }
      run()
    } catch (thrown) {
      if (mine === generation) fail(thrown)
    }
  }

  /** Goes on with the k that are missing. */
  async function resume(): Promise<void> {
    const now = shown.value
    if (!canResume.value || now === null) return
    const mine = begin()
    try {
      await ask('scan.resume', { scanId: now.id })
      if (mine === generation) run()
    } catch (thrown) {
      if (mine === generation) fail(thrown)
    }
  }

  function begin(): number {
    state.value = 'starting'
    error.value = null
    early = []
    since.value = { ms: performance.now(), done: 0 }
    return ++generation
  }

  function run(): void {
    state.value = 'running'
    const waiting = early
    early = []
    for (const event of waiting) receive(event)
    since.value = { ms: performance.now(), done: progress.value?.done ?? 0 }
    if (cancelling.value) void cancel()
  }

  /** What is finished stays. One that has no name yet is cancelled when it gets one. */
  async function cancel(): Promise<void> {
    if (!busy.value) return
    cancelling.value = true
    const scanId = shown.value?.id
    if (state.value === 'starting' || scanId === undefined) return
    await ask('scan.cancel', { scanId }).catch(fail)
  }

  /** The best restart of a finished k as a run; the same run when it is asked for again. */
  async function take(k: number): Promise<TakenRun | null> {
    const now = shown.value
    if (now === null) return null
    const { runId, record } = await ask('scan.take', { scanId: now.id, k })
    taken.value = new Map(taken.value).set(k, runId)
    return { record, datasetId, asked: { ...now.config.run, k, nInit: now.config.restarts } }
  }

  /** Another file: the scan on screen was of the one before. */
  async function adopt(next: string): Promise<void> {
    if (busy.value && shown.value) ask('scan.cancel', { scanId: shown.value.id }).catch(() => null)
    const mine = ++generation
    datasetId = next
    shown.value = null
    error.value = null
    chosen.value = null
    taken.value = new Map()
    detached.value = false
    finish('idle')
    const [newest] = await ask('scan.list', { datasetId: next })
    if (mine === generation && newest) end(newest.isComplete ? 'done' : 'cancelled', newest)
  }

  /** The engine process died; what was finished stays on screen. */
  function engineLost(reason: string): void {
    detached.value = shown.value !== null
    if (!busy.value) return
    generation++
    failWith({ kind: 'engine-lost', code: 'engine.lost', message: reason, details: null })
  }

  return {
    ...{ state, shown, error, progress, cancelling, since, draft, chosen, taken, detached, busy, canResume },
    ...{ subscribe, start, resume, cancel, take, adopt, engineLost },
  }
})
