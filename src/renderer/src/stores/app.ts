/** The program around the work: engine process, samples and recent files, the last message. */
import { localizedSentence } from '@shared/locale/localized-sentence'
import { engineProcessCodes, isOfEngineProcess, toErrorReport, type ErrorReport } from '@shared/errors'
import type { HostState, MenuCommand, RecentFile, SampleFile } from '@shared/ipc'
import type { Language } from '@shared/locale/languages'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { t } from '@/i18n'
import { ask, listen } from '@/api'
import { setLanguage } from '@/i18n'
import { createEventHook } from './event-hook'

/** Good news goes by itself after this time. */
const noticeMs = 8000

/** What the engine process is, and what it was. */
export interface HostChange {
  readonly state: HostState
  readonly before: HostState
}

export type Banner = { readonly tone: 'warning' | 'notice'; readonly sentence: string }

export const useAppStore = defineStore('app', () => {
  const hostState = shallowRef<HostState>({ state: 'starting' })
  /** Whether there is an engine process that can be asked for something. */
  const isReady = computed(() => hostState.value.state === 'ready')
  const samples = shallowRef<readonly SampleFile[]>([])
  const recent = shallowRef<readonly RecentFile[]>([])
  const message = ref('')
  const banner = shallowRef<Banner | null>(null)
  const error = shallowRef<ErrorReport | null>(null)
  /** The banner that tells how the engine process stands. */
  let ofHost: Banner | null = null

  const changed = createEventHook<HostChange>()
  const failed = createEventHook()

  function hostChanged(state: HostState): void {
    const before = hostState.value
    hostState.value = state
    // What was told of the state before is over. One that failed has a notice of its own, with what can be done.
    if (banner.value === ofHost) banner.value = null
    if (state.state === 'lost')
      banner.value = ofHost = { tone: 'warning', sentence: localizedSentence(state.reason) }
    if (state.state === 'ready' && (before.state === 'lost' || before.state === 'failed')) restarted(state)
    changed.trigger({ state, before })
  }

  /** A note about a file that could not be loaded again stays until it was read. */
  function restarted({ note, files = 0 }: Extract<HostState, { state: 'ready' }>): void {
    if (note !== undefined) {
      const sentence = t('window.theEngineProcessWasRestartedBut', [note])
      banner.value = { tone: 'notice', sentence }
      return
    }
    const loaded = files > 0 ? t('window.andTheDataLoadedAgainWhat') : ''
    const shown: Banner = { tone: 'notice', sentence: t('window.theEngineProcessWasRestarted', [loaded]) }
    banner.value = shown
    setTimeout(() => {
      if (banner.value === shown) banner.value = null
    }, noticeMs)
  }

  /** Told across the window until it was read; what stands there already is not overwritten. */
  function announce(sentence: string): void {
    const earlier = banner.value?.tone === 'notice' ? `${banner.value.sentence} ` : ''
    banner.value = { tone: 'notice', sentence: `${earlier}${sentence}` }
  }

  async function refreshRecent(): Promise<void> {
    recent.value = await ask('app.recent', {})
  }

  async function forgetRecent(): Promise<void> {
    await ask('app.forget-recent', {})
    await refreshRecent()
  }

  /** What main says in words, the samples, is asked for again; what was said last was said in the other language. */
  async function changeLanguage(language: Language): Promise<void> {
    await setLanguage(language)
    message.value = ''
    samples.value = await ask('app.samples', {})
  }

  /** Subscribes first and asks then, so that no change between the two is missed. */
  async function start(onMenu: (command: MenuCommand) => void): Promise<void> {
    listen('app.host-state', hostChanged)
    listen('app.language', ({ language }) => void changeLanguage(language).catch(fail))
    listen('app.menu', ({ command }) => onMenu(command))
    listen('app.recent-changed', (files) => (recent.value = files))
    try {
      hostChanged(await ask('app.host-state', {}))
      samples.value = await ask('app.samples', {})
      await refreshRecent()
    } catch (thrown) {
      fail(thrown)
    }
  }

  /**
   * Shows what went wrong outside loading and running (exports, dialogs) across the window, and there alone;
   * cancelled is no error, and how the engine process stands is told by itself.
   */
  function fail(thrown: unknown): void {
    const report = toErrorReport(thrown)
    if (report.kind === 'cancelled') return
    message.value = ''
    if (isOfEngineProcess(report)) return
    error.value = report
    failed.trigger()
  }

  /** Whether the notice of the engine process says it already, or said it while that was so. */
  function isReported(report: ErrorReport): boolean {
    const isOver = report.code !== engineProcessCodes.ended || hostState.value.state === 'failed'
    return isOfEngineProcess(report) && isOver
  }

  /** Asks for the engine process that was given up. */
  async function startEngine(): Promise<void> {
    await ask('app.start-engine', {}).catch(fail)
  }

  return {
    hostState,
    isReady,
    samples,
    recent,
    message,
    banner,
    error,
    start,
    refreshRecent,
    forgetRecent,
    hostChanged,
    startEngine,
    isReported,
    announce,
    fail,
    onHostChanged: changed.on,
    /** Something outside loading and running went wrong: `error` says what. */
    onFailed: failed.on,
  }
})
