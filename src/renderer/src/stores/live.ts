/**
 * Clusters again while a setting is being changed, where that is quick: one restart while it moves, which other points begin from the
 * clusters on screen, and all restarts by their seeds when the hand rests.
 * Results replace one another until then, and clusters keep the colours of those they overlap most.
 */
import type { DatasetSummary } from '@shared/dataset'
import type { RunEvent } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { t } from '@/i18n'
import { ask, fewLabels, keptIterations, listen } from '@/api'
import {
  drawnAfter,
  isLiveChange,
  livePrediction,
  liveSentence,
  observationOf,
  preparingFor,
  withObservation,
  type LiveObservation,
} from '@/text/live'
import { useAppStore } from './app'
import { useBenchmarkStore } from './benchmark'
import { useConfigStore } from './config'
import { useDatasetStore } from './dataset'
import { useLooksStore } from './looks'
import { isStale, useRunStore } from './run'
import { useSettingsStore } from './settings'
import { useTimelineStore } from './timeline'

/** A setting that has not moved for so long is at rest. */
const restMs = 350
/** Changes that follow one another more quickly are one gesture. */
const gestureMs = 1500

type Ended = Extract<RunEvent, { kind: 'done' | 'failed' | 'cancelled' }>

export const useLiveStore = defineStore('live', () => {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const looks = useLooksStore()
  const run = useRunStore()
  const settings = useSettingsStore()
  const timeline = useTimelineStore()

  const working = ref(false)
  /** Newest last, of the open file since the last run that was started by hand. */
  const observed = shallowRef<readonly LiveObservation[]>([])
  let wanted: RunConfig | null = null
  let current: { readonly runId: string; readonly isRest: boolean } | null = null
  /** The result on screen that the next one replaces. */
  let replaceable: string | null = null
  /** performance.now() of the last change that was followed. */
  let followedAt = Number.NEGATIVE_INFINITY
  /** Whose picture is still to come, and performance.now() when its change was taken up. */
  let undrawn: { readonly observation: LiveObservation; readonly began: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let ends = new Map<string, (event: Ended) => void>()
  let early = new Map<string, Ended>()

  const isIdle = computed(() => app.hostState.state === 'ready' && !run.busy && !benchmark.busy)
  const predictedMs = computed(() => {
    const result = run.result
    if (!result || result.datasetId !== dataset.summary?.id || !config.valid) return null
    return livePrediction(result.record, observed.value, config.config, config.featureCount)
  })
  const isQuick = computed(() => predictedMs.value?.isQuick ?? false)
  const canFollow = computed(() => settings.values.live && isIdle.value && run.error === null && !run.broken)
  const sentence = computed(() => liveSentence(settings.values.live, predictedMs.value, config.config.nInit))

  function subscribe(): void {
    timeline.onPainted(drawn)
    listen('run.event', (event) => {
      if (event.kind === 'phase' || event.kind === 'iterations') return
      const end = ends.get(event.runId)
      if (end) end(event)
      else if (run.foreign.starting) early.set(event.runId, event)
    })
  }

  /** A setting changed: newest wins, and what was only finer of the one before gives way. */
  function follow(next: RunConfig, before: RunConfig): void {
    if (!isLiveChange(before, next) || !canFollow.value) return
    // A k that was taken over from a scan has its result on screen already.
    if (!working.value && run.result && !isStale(run.result, next)) return
    // What was begun goes on: a hand on a slider is not left alone for one slow run.
    const now = performance.now()
    if (!isQuick.value && now - followedAt > gestureMs) return
    followedAt = now
    clearTimeout(timer)
    wanted = next
    if (current?.isRest) ask('run.cancel', { runId: current.runId }).catch(() => null)
    void pump()
  }

  async function pump(): Promise<void> {
    if (working.value) return
    working.value = true
    try {
      while (wanted) {
        const next: RunConfig = wanted
        wanted = null
        await cluster(next, false)
      }
    } finally {
      working.value = false
    }
    wait()
  }

  function wait(): void {
    timer = setTimeout(() => void rest(), restMs)
  }

  /** The other restarts, and from then on the result stays. */
  async function rest(): Promise<void> {
    const shown = run.result
    if (!shown || shown.record.id !== replaceable || !isIdle.value || working.value) return
    // Held still is not let go.
    if (config.isHeld) return wait()
    if (shown.asked.nInit > 1 || shown.record.reused?.includes('clusters')) {
      working.value = true
      await cluster(shown.asked, true).finally(() => (working.value = false))
      if (wanted) return void pump()
    }
    replaceable = null
  }

  async function cluster(asked: RunConfig, isRest: boolean): Promise<void> {
    const { summary } = dataset
    if (!summary || !isIdle.value) return
    const carried = isRest ? asked : { ...asked, nInit: 1 }
    const before = run.result
    const began = performance.now()
    undrawn = null
    const record = await carriedOut(summary.id, carried, isRest)
    if (!record || dataset.summary?.id !== summary.id) return
    await show(record, asked, summary)
    if (isRest || !before) return
    const observation = observationOf(record, preparingFor(before.record.config, asked))
    observed.value = withObservation(observed.value, observation)
    undrawn = { observation, began }
  }

  /** The first picture after a result is its own. */
  function drawn(): void {
    if (undrawn === null) return
    const { observation, began } = undrawn
    const whole = drawnAfter(observation, performance.now() - began)
    observed.value = observed.value.map((one) => (one === observation ? whole : one))
    undrawn = null
  }

  /** With its labels and colours at once: nothing in between is drawn. What cannot be had any more is not shown. */
  async function show(record: RunRecord, asked: RunConfig, summary: DatasetSummary): Promise<void> {
    const wantedStill = (): boolean => dataset.summary?.id === summary.id && !run.busy
    const [labels, kept] = await Promise.all([
      fewLabels(record.id, record.k, summary.rows, wantedStill),
      record.config.centroidHistory ? keptIterations(record.id) : 0,
    ]).catch(() => [null, 0] as const)
    if (!labels || !wantedStill()) return run.forget(record.id)
    adopt(record, labels, kept, asked)
  }

  function adopt(record: RunRecord, labels: Int32Array, kept: number, asked: RunConfig): void {
    const before = run.result
    if (before && timeline.labels) {
      looks.carryOver(before.record, record, timeline.labels, labels)
    }
    timeline.prepare(record, labels, kept)
    run.adoptLive({ record, datasetId: dataset.summary?.id ?? '', asked }, replaceable)
    replaceable = record.id
    app.message = howStarted(record)
  }

  function howStarted({ restarts, reused = [] }: RunRecord): string {
    if (restarts.length > 1) return t('window.liveBestOfRestarts', [restarts.length])
    return reused.includes('clusters') ? t('window.liveFromTheClustersBefore') : t('window.liveOneRestart')
  }

  /** Null where there is nothing to show: refused, cancelled or lost, which a run by hand says in full. */
  async function carriedOut(datasetId: string, asked: RunConfig, isRest: boolean): Promise<RunRecord | null> {
    try {
      run.foreign.starting = true
      // What is at rest is what was asked for, whatever came before it.
      const after = isRest ? undefined : run.result?.record.id
      const start = { datasetId, config: asked, live: true, ...(after !== undefined && { after }) }
      const { runId } = await ask('run.start', start)
      run.foreign.ids.add(runId)
      run.foreign.starting = false
      current = { runId, isRest }
      const end = early.get(runId) ?? (await new Promise<Ended>((resolve) => ends.set(runId, resolve)))
      return end.kind === 'done' ? end.record : null
    } catch {
      return null
    } finally {
      run.foreign.starting = false
      current = null
      ends = new Map()
      early = new Map()
    }
  }

  /** The engine process, and what it was about, is gone. */
  function engineLost(): void {
    for (const [runId, end] of ends) end({ kind: 'cancelled', runId })
  }

  /** Another file, or a run started by hand: what was observed does not hold any more, and what is shown stays. */
  function reset(): void {
    clearTimeout(timer)
    wanted = null
    replaceable = null
    observed.value = []
    undrawn = null
    followedAt = Number.NEGATIVE_INFINITY
    if (current) ask('run.cancel', { runId: current.runId }).catch(() => null)
  }

  return { working, isQuick, sentence, predictedMs, subscribe, follow, reset, engineLost }
})
