/** Joins the stores: what a new dataset, a finished run, a menu item or a lost engine means for the others. */
import type { AppEvents, MenuCommand } from '@shared/ipc'
import { nextTick, onBeforeUnmount, onMounted, watch } from 'vue'
import { ask, listen } from '@/api'
import { formatDuration, plural } from '@/text/numbers'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { rememberedPart, useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useEnginesStore } from '@/stores/engines'
import { usePointsStore } from '@/stores/points'
import { useQuietStore } from '@/stores/quiet'
import { useRunStore } from '@/stores/run'
import { useSelectionStore } from '@/stores/selection'
import { useSettingsStore } from '@/stores/settings'
import { useTimelineStore } from '@/stores/timeline'
import { outcomeSentence } from '@/text/benchmark/sentences'
import { useBenchmarkShown } from './benchmark/use-benchmark-shown'
import { firstScreenDrawn } from './first-screen'
import { useQueue } from './use-queue'

export function useSession(menu: (command: MenuCommand) => void) {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const engines = useEnginesStore()
  const points = usePointsStore()
  const queue = useQueue()
  const quiet = useQuietStore()
  const run = useRunStore()
  const selection = useSelectionStore()
  const settings = useSettingsStore()
  const timeline = useTimelineStore()
  const benchmarkShown = useBenchmarkShown()

  async function startRun(): Promise<void> {
    if (!dataset.summary || !config.valid) return
    if (run.busy || benchmark.busy) return queue.addRun(config.config)
    app.message = ''
    app.error = null
    if (run.broken) run.asksAnew = true
    else await run.start(dataset.summary.id, config.config)
  }

  /** Said once: where the run was that it cost, or else across the window. */
  function engineGone(sentence: string): void {
    run.engineLost(sentence)
    benchmark.engineLost(sentence)
    quiet.reset()
    if (benchmark.error?.kind === 'engine-lost' && benchmarkShown.value) app.banner = null
    const inSight = !settings.values.leftCollapsed && dataset.summary !== null
    if (run.error?.kind === 'engine-lost' && inSight) app.banner = null
  }

  watch(
    () => dataset.summary,
    (summary) => {
      if (!summary) return
      app.error = null
      // A file opened while times are compared is one more thing to compare.
      if (benchmark.standalone) settings.save({ view: 'benchmark' })
      benchmark.standalone = false
      run.adopt(summary.id)
      config.adopt(summary, dataset.sameFile)
      app.message = `Loaded ${summary.file.name}: ${plural(summary.rows, 'row')} in ${formatDuration(summary.receipt.loadMs)}`
      selection.adopt(summary.id)
      points.adopt(summary).catch(app.fail)
      app.refreshRecent().catch(app.fail)
    },
  )
  watch(
    () => run.result,
    (result) => {
      timeline.adopt(result?.record ?? null, dataset.summary?.rows ?? 0).catch(app.fail)
    },
  )
  // Of two failures the newer one is told.
  watch(
    () => dataset.error,
    (error) => {
      if (error) app.error = null
    },
  )
  watch(
    () => run.state,
    (state) => {
      const record = run.result?.record
      if (state === 'done' && record) app.message = `Done in ${formatDuration(record.timings.totalMs)}`
    },
  )
  // What was said before a comparison is not what happens now.
  watch(
    () => benchmark.busy,
    (busy) => {
      if (busy) app.message = ''
    },
  )
  watch(
    () => benchmark.runningId,
    (now, before) => {
      const { document } = benchmark
      if (now !== null) return
      const elsewhere = 'The comparison has ended; it is under Earlier in the benchmark.'
      app.message = document?.id === before ? outcomeSentence(document) : elsewhere
    },
  )
  watch(
    () => [points.x, points.y] as const,
    ([x, y]) => {
      timeline.setAxes(x, y).catch(app.fail)
    },
  )
  // Principal components are those of what is on screen: of the result, else of the settings.
  watch(
    () => [dataset.summary?.id, run.result?.asked ?? (config.valid ? config.config : null)] as const,
    ([datasetId, of]) => {
      if (!datasetId || !of) return
      const { features, missing, scaling } = of
      points.project({ datasetId, features, missing, scaling }).catch(app.fail)
    },
  )
  watch(
    () => app.hostState,
    (host, before) => {
      if (host.state === 'lost') engineGone(host.reason)
      if (host.state === 'failed') engineGone(host.error.message)
      if (host.state !== 'ready') return
      engines.load().catch(app.fail)
      if (before.state !== 'lost') return
      if (run.failed && dataset.summary) run.findBroken(dataset.summary.id).catch(app.fail)
      points.refit().catch(app.fail)
      timeline.retry().catch(app.fail)
    },
  )
  watch(
    () => config.config,
    (next) => {
      if (settings.loaded && config.valid) settings.save({ lastConfig: rememberedPart(next) })
    },
  )
  watch(
    () => settings.values.theme,
    (theme) => {
      document.documentElement.dataset['theme'] = theme
    },
  )

  /** The file, the results and the settings are as they were before the program or its page was ended. */
  async function restore({ token, name, overrides, byForce, runs }: AppEvents['app.restore']): Promise<void> {
    await dataset.reopen({ token, name }, overrides)
    const { summary } = dataset
    if (summary === null || dataset.source?.token !== token) return
    const records = await ask('run.kept', { datasetId: summary.id })
    // What the new file means for the others is settled first.
    await nextTick()
    run.restore(summary.id, records)
    await run.findBroken(summary.id)
    const found = records.length === 0 ? '' : ` with ${plural(records.length, 'result')}`
    const opened = `${name} is open again${found}`
    if (byForce) app.announce(`Centroid Lab was ended unexpectedly; ${opened}.`)
    else if (records.length < (runs ?? 0)) app.announce(changedSentence(name))
    else app.message = opened
  }

  function key(event: KeyboardEvent): void {
    if (event.defaultPrevented) return
    const command = commandOf(event)
    if (!command || (command === 'cancel' && !run.busy && !dataset.opening)) return
    event.preventDefault()
    menu(command)
  }

  onMounted(async () => {
    const drawn = firstScreenDrawn()
    window.addEventListener('keydown', key)
    dataset.subscribe()
    run.subscribe()
    benchmark.subscribe()
    quiet.subscribe()
    listen('app.restore', (kept) => void restore(kept).catch(app.fail))
    listen('app.notice', ({ sentence }) => app.announce(sentence))
    await settings.load().catch(app.fail)
    // A file that is opened shows its clusters first, whatever was looked at last.
    if (settings.values.view === 'benchmark') settings.save({ view: 'clusters' })
    config.restore({ ...settings.values.lastConfig })
    await app.start(menu)
    // What main does then, the engine process to begin with, must not hold up the first screen.
    await drawn
    await ask('app.ready', {}).catch(app.fail)
  })
  onBeforeUnmount(() => window.removeEventListener('keydown', key))

  return { startRun, queue }
}

/** Results belong to the contents that they were made on. */
function changedSentence(name: string): string {
  return `${name} has changed since results of it were kept: those come back when the file is as it was.`
}

/** The menu's shortcuts, for the page itself: a key that the page handles does not reach the native menu. */
function commandOf(event: KeyboardEvent): MenuCommand | null {
  const { key, altKey, shiftKey } = event
  if (key === 'Escape') return 'cancel'
  if (!(event.ctrlKey || event.metaKey) || altKey) return null
  const letter = key.toLowerCase()
  // A field that is being typed in keeps its own undo.
  if (letter === 'z' && !isTyping(event.target)) return shiftKey ? 'redo' : 'undo'
  if (letter === 'y' && !isTyping(event.target)) return 'redo'
  if (shiftKey) return null
  if (letter === 'r') return 'run'
  return letter === 'o' ? 'open' : null
}

function isTyping(target: EventTarget | null): boolean {
  const box =
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'color'].includes(target.type)
  return box || target instanceof HTMLTextAreaElement
}
