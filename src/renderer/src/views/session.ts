/**
 * Joins the stores. What happens to one of them, and what that means for the others, stands in `session/store-events`; what
 * merely follows a value in `session/followed-values`.
 */
import type { MenuCommand } from '@shared/ipc'
import { onMounted } from 'vue'
import { ask, listen } from '@/api'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useLiveStore } from '@/stores/live'
import { useProfileStore } from '@/stores/profile'
import { useQuietStore } from '@/stores/quiet'
import { useRunStore } from '@/stores/run'
import { useScanStore } from '@/stores/scan'
import { useSessionStore } from '@/stores/session'
import { useSettingsStore } from '@/stores/settings'
import { firstScreenDrawn } from './first-screen'
import { followValues } from './session/followed-values'
import { joinStores } from './session/store-events'
import { keepLooks } from './session/kept-looks'
import { useRestore } from './session/restore'
import { followSession } from './session/session-views'
import { useShortcuts } from './session/shortcuts'
import { useQueue } from './use-queue'

export function useSession(menu: (command: MenuCommand) => void) {
  const queue = useQueue()
  joinStores()
  followValues()
  keepLooks()
  followSession()
  useShortcuts(menu)
  useStartUp(menu)
  return { startRun: useStart(queue.addRun), queue }
}

function useStart(addRun: ReturnType<typeof useQueue>['addRun']): () => Promise<void> {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const live = useLiveStore()
  const run = useRunStore()
  return async () => {
    if (!dataset.summary || !config.valid) return
    if (run.busy || benchmark.busy) return addRun(config.config)
    app.message = ''
    app.error = null
    if (run.broken) run.asksAnew = true
    else {
      live.reset()
      await run.start(dataset.summary.id, config.config)
    }
  }
}

/** Listens first, then takes over what is remembered, and tells main last. */
function useStartUp(menu: (command: MenuCommand) => void): void {
  const app = useAppStore()
  const settings = useSettingsStore()
  const config = useConfigStore()
  const listening = [
    ...[useDatasetStore(), useRunStore(), useLiveStore(), useBenchmarkStore(), useQuietStore()],
    ...[useScanStore(), useProfileStore(), useSessionStore()],
  ]
  const restore = useRestore()

  onMounted(async () => {
    const drawn = firstScreenDrawn()
    for (const store of listening) store.subscribe()
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
}
