/** The clustering that runs now, and the results of the session. No run and no changed setting destroys a result. */
import { toErrorReport, type ErrorReport } from '@shared/errors'
import { assertNever } from '@shared/assert-never'
import type { BrokenRun, RunEvent, RunPhase } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import type { IterationRow, RunRecord } from '@shared/run-record'
import type { ListedRecord } from '@shared/session-requests'
import type { EngineId, VariantId } from '@shared/variant'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { ask, listen } from '@/api'
import { cutOffSentence } from '@/text/cut-off'
import { createEventHook } from './event-hook'

export type RunState = 'idle' | 'starting' | 'running' | 'done' | 'cancelled' | 'failed'

/** What is known of a run before it is done. */
export interface LiveRun {
  readonly runId: string
  readonly config: RunConfig
  readonly phase: RunPhase
  readonly restart: number
  /** In order; not every one of very many. */
  readonly rows: readonly IterationRow[]
  /** (k, d) in units of the file. */
  readonly centroids: Float64Array | null
  /** What the quantity of the stop rule must fall to, in the units of the rows; null until it is known. */
  readonly threshold: number | null
  /** What carries it out; null until its first iteration. */
  readonly on: { readonly engine: EngineId; readonly variant: VariantId } | null
}

/** A result, with what was asked for: the mark "settings changed" compares against it. */
export interface RunResult {
  readonly record: RunRecord
  readonly datasetId: string
  readonly asked: RunConfig
}

/** A new result in the place of one that stays on the list. */
export interface Adopted {
  readonly before: RunRecord
  readonly after: RunRecord
}

/** What a run that goes on has behind it. */
interface Done {
  readonly rows: readonly IterationRow[]
  readonly elapsedMs: number
}

const nothingDone: Done = { rows: [], elapsedMs: 0 }

type IterationsEvent = Extract<RunEvent, { kind: 'iterations' }>

export const useRunStore = defineStore('run', () => {
  const state = ref<RunState>('idle')
  const live = shallowRef<LiveRun | null>(null)
  /** Newest first, of every file of the session; those of a file that is not shown have neither history nor clusters. */
  const results = shallowRef<readonly RunResult[]>([])
  const result = shallowRef<RunResult | null>(null)
  const error = shallowRef<ErrorReport | null>(null)
  /** What was asked of the run that failed last. */
  const failed = shallowRef<RunConfig | null>(null)
  /** It failed in the middle and can go on. */
  const broken = shallowRef<BrokenRun | null>(null)
  /** A new run was asked for in its place, and the person has to say which is meant. */
  const asksAnew = ref(false)
  let rowsOfFailed: readonly IterationRow[] = []
  const startedAt = ref(0)
  const cancelling = ref(false)
  const busy = computed(() => state.value === 'starting' || state.value === 'running')
  let datasetOfRun = ''
  /** Of the newest run. */
  const asked = shallowRef<RunConfig | null>(null)
  let datasetOnScreen = ''
  let early: RunEvent[] = []
  let generation = 0
  let wished = 0
  const done = createEventHook<RunRecord>()
  const adopted = createEventHook<Adopted>()
  /** Runs that somebody else in the window started and takes care of. */
  const foreign = { starting: false, ids: new Set<string>() }

  function subscribe(): void {
    listen('run.event', receive)
  }

  function receive(event: RunEvent): void {
    // Events may overtake the answer that names the run; they wait for it.
    if (state.value === 'starting') early.push(event)
    else if (live.value && event.runId === live.value.runId) apply(event, live.value)
    else if (event.kind === 'done' && !isForeign(event.runId)) forget(event.runId)
  }

  function isForeign(runId: string): boolean {
    return foreign.starting || foreign.ids.has(runId)
  }

  function apply(event: RunEvent, current: LiveRun): void {
    switch (event.kind) {
      case 'phase':
        live.value = { ...current, phase: event.phase, restart: event.restart }
        return
      case 'iterations':
        live.value = withIterations(current, event)
        return
      case 'done':
        adoptResult({ record: event.record, datasetId: datasetOfRun, asked: current.config })
        finish('done')
        return done.trigger(event.record)
      case 'cancelled':
        return finish('cancelled')
      case 'failed':
        fail(event.error)
        if (event.broken) breakOff(event.broken, [event.error.message, event.error.details].join('\n').trim())
        return
      default:
        assertNever(event, 'run event')
    }
  }

  function withIterations(current: LiveRun, event: IterationsEvent): LiveRun {
    return {
      ...current,
      phase: 'iterating',
      restart: event.restart,
      rows: thinned([...current.rows, ...event.rows]),
      centroids: event.centroids ?? current.centroids,
      threshold: event.threshold,
      on: { engine: event.engine, variant: event.variant },
    }
  }

  /** The host frees the arrays of a result that is not shown; a host that lost them has nothing to free. */
  function forget(runId: string): void {
    ask('run.forget', { runId }).catch(() => null)
  }

  function adoptResult(next: RunResult): void {
    const before = result.value?.record ?? null
    results.value = [next, ...results.value]
    result.value = next
    if (before) adopted.trigger({ before, after: next.record })
  }

  /** A result that was made elsewhere, by a scan: shown as if it had run here; one that is known already is shown again. */
  function adoptTaken(taken: RunResult): void {
    const { id } = taken.record
    if (results.value.some(({ record }) => record.id === id)) void show(id).catch(() => null)
    else if (taken.datasetId === datasetOnScreen) adoptResult(taken)
  }

  /** A result that follows a setting, in the place of the one before it. */
  function adoptLive(next: RunResult, replaces: string | null): void {
    if (replaces !== null) forget(replaces)
    results.value = [next, ...results.value.filter(({ record }) => record.id !== replaces)]
    result.value = next
    if (state.value === 'cancelled') state.value = 'done'
  }

  /** Results that outlived the page or the program, newest first; what was found meanwhile stays before them. */
  function restore(listed: readonly ListedRecord[]): void {
    const known = new Set(results.value.map(({ record }) => record.id))
    const found = listed
      .filter(({ record }) => !known.has(record.id))
      .map(({ record, datasetId }) => ({ record, datasetId, asked: record.config }))
    results.value = [...results.value, ...found]
  }

  /** A result with its history and clusters, which the list does without; null where it is gone. */
  async function whole(runId: string): Promise<RunResult | null> {
    const found = results.value.find(({ record }) => record.id === runId)
    if (!found || isWhole(found)) return found ?? null
    const record = await ask('run.record', { runId })
    const filled = { ...found, record }
    results.value = results.value.map((each) => (each.record.id === runId ? filled : each))
    return filled
  }

  /** Shows an earlier result of the open file again; a newer wish wins. */
  async function show(runId: string): Promise<void> {
    const mine = ++wished
    const known = results.value.find(({ record }) => record.id === runId)
    if (!known || known.datasetId !== datasetOnScreen) return
    // What is there is shown at once.
    const found = isWhole(known) ? known : await whole(runId)
    if (found && mine === wished) result.value = found
  }

  /** The session is another one: nothing of this one stays on the list. */
  function clear(): void {
    adopt('')
    results.value = []
  }

  /** Takes a result off the list and frees what the engine host keeps of it. */
  function remove(runId: string): void {
    forget(runId)
    results.value = results.value.filter(({ record }) => record.id !== runId)
    if (result.value?.record.id !== runId) return
    result.value = null
    const next = results.value.find(({ datasetId }) => datasetId === datasetOnScreen)
    if (next) void show(next.record.id).catch(() => null)
  }

  function finish(next: RunState): void {
    state.value = next
    live.value = null
    cancelling.value = false
  }

  function fail(report: ErrorReport): void {
    failed.value = asked.value
    rowsOfFailed = live.value?.rows ?? []
    error.value = report.kind === 'cancelled' ? null : report
    finish(report.kind === 'cancelled' ? 'cancelled' : 'failed')
  }

  async function start(datasetId: string, config: RunConfig): Promise<void> {
    if (busy.value) return
    letBrokenGo()
    await launch(datasetId, config, nothingDone, () => ask('run.start', { datasetId, config }))
  }

  /** The run that failed goes on where it was, on the best engine that is left. */
  async function goOn(): Promise<void> {
    const from = broken.value
    if (busy.value || from === null) return
    const { runId, datasetId, next: engine, restart, iterations, elapsedMs } = from
    const config = failed.value ?? from.config
    const rows = rowsOfFailed.filter((row) => row.run < restart || row.iteration <= iterations)
    broken.value = null
    let refusal: ErrorReport | null = null
    await launch(datasetId, config, { rows, elapsedMs }, () =>
      ask('run.resume', { runId, engine }).catch((thrown: unknown) => {
        refusal = toErrorReport(thrown)
        throw thrown
      }),
    )
    if (refusal !== null) keepOffer(from, rows, refusal)
  }

  /** A run that was refused for now can still go on, unless nothing of it is kept any more. */
  function keepOffer(from: BrokenRun, rows: readonly IterationRow[], { code }: ErrorReport): void {
    if (code === 'run.not-broken' || busy.value) return
    broken.value = from
    rowsOfFailed = rows
  }

  /** Looks for a run that the engine process, or the whole program, took with it. */
  async function findBroken(datasetId: string): Promise<void> {
    const found = await ask('run.broken', { datasetId })
    if (found && !busy.value) breakOff(found, null)
  }

  function breakOff(found: BrokenRun, details: string | null): void {
    broken.value = found
    asksAnew.value = false
    error.value = { kind: 'engine-lost', code: 'run.cut-off', message: cutOffSentence(found), details }
  }

  /** What went wrong has been read; a run that could go on is let go. */
  function dismiss(): void {
    error.value = null
    letBrokenGo()
  }

  function letBrokenGo(): void {
    if (broken.value) forget(broken.value.runId)
    broken.value = null
  }

  async function launch(
    datasetId: string,
    config: RunConfig,
    before: Done,
    request: () => Promise<{ runId: string }>,
  ): Promise<void> {
    state.value = 'starting'
    asked.value = config
    startedAt.value = performance.now() - before.elapsedMs
    error.value = null
    early = []
    const mine = ++generation
    try {
      const { runId } = await request()
      if (mine === generation) begin(runId, datasetId, config, before.rows)
      else await ask('run.cancel', { runId })
    } catch (thrown) {
      if (mine === generation) fail(toErrorReport(thrown))
    }
  }

  function begin(runId: string, datasetId: string, config: RunConfig, rows: readonly IterationRow[]): void {
    datasetOfRun = datasetId
    const nothingYet = { centroids: null, threshold: null, on: null }
    live.value = { runId, config, phase: 'preparing', restart: 0, rows, ...nothingYet }
    state.value = 'running'
    for (const event of early) receive(event)
    early = []
    if (cancelling.value) void cancel()
  }

  /** Asks the run to stop; the result on screen stays. A run that has no name yet is cancelled when it gets one. */
  async function cancel(): Promise<void> {
    if (!busy.value) return
    cancelling.value = true
    const current = live.value
    if (!current) return
    try {
      await ask('run.cancel', { runId: current.runId })
    } catch (thrown) {
      fail(toErrorReport(thrown))
    }
  }

  /** The engine process died: a run it carried is over, whether or not its own report still comes. */
  function engineLost(reason: string): void {
    if (!busy.value) return
    fail({ kind: 'engine-lost', code: 'engine.lost', message: reason, details: null })
  }

  /** A new dataset: the results of the old one leave the screen, and a run on it is let go. */
  function adopt(datasetId: string): void {
    generation++
    wished++
    if (live.value) ask('run.cancel', { runId: live.value.runId }).catch(() => null)
    datasetOnScreen = datasetId
    result.value = null
    // What can no longer be shown keeps what the list of runs tells, and neither history nor centroids.
    results.value = results.value.map((each) =>
      each.datasetId === datasetId
        ? each
        : { ...each, record: { ...each.record, history: [], clusters: [] } },
    )
    error.value = null
    broken.value = null
    asksAnew.value = false
    failed.value = null
    finish('idle')
  }

  return {
    state,
    live,
    results,
    result,
    error,
    failed,
    asked,
    broken,
    asksAnew,
    startedAt,
    cancelling,
    busy,
    subscribe,
    start,
    goOn,
    findBroken,
    dismiss,
    cancel,
    engineLost,
    adoptTaken,
    restore,
    whole,
    clear,
    foreign,
    adoptLive,
    forget,
    show,
    remove,
    adopt,
    /** A run has come to its end; its result is on screen. */
    onDone: done.on,
    /** Told before anything else follows the new result. */
    onAdopted: adopted.on,
  }
})

/** Has what the list of runs does without. */
function isWhole({ record }: RunResult): boolean {
  return record.clusters.length > 0
}

/** A run of very many small iterations: its plots need no more places than they have pixels. */
const maxLiveRows = 4096
/** The newest are kept whole: the time that is left is estimated from them. */
const newestRows = 1024

function thinned(rows: readonly IterationRow[]): readonly IterationRow[] {
  if (rows.length <= maxLiveRows) return rows
  const older = rows.length - newestRows
  return rows.filter((_, i) => i >= older || i % 2 === 0)
}

/** Whether the settings no longer are those a result was made with. */
export function isStale(result: RunResult | null, config: RunConfig): boolean {
  return result !== null && inOrder(result.asked) !== inOrder(config)
}

/** As text, whatever the order of its keys: what comes back from the engine has another one. */
function inOrder(config: RunConfig): string {
  return JSON.stringify(config, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
