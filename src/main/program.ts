/** Joins the window with the engine, the files and the menu: all that main does once there is a window. */
import { join } from 'node:path'
import { app, powerMonitor } from 'electron'
import { Spool } from '@engine/host/spool'
import type { HostEvents } from '@shared/ipc'
import { fileArgument } from './command-line'
import { EngineProcess } from './engine-process'
import { ChosenFiles } from './files'
import { windowHandlers } from './handlers'
import { hostEnvironment, withMemory } from './host-environment'
import { bindWindow } from './ipc'
import { KeptSessions } from './kept-sessions'
import { mayLeave } from './open-session'
import { AppMenu } from './menu'
import { chooseLanguage } from './language'
import { hostNode, hostScript } from './paths'
import { RunProgress } from './run-progress'
import type { SettingsStore } from './settings'
import type { StateFiles } from './state-files'
import type { MainWindow } from './window'

export interface Start {
  readonly window: MainWindow
  readonly settings: SettingsStore
  /** Of the person's folder. */
  readonly files: StateFiles
}

/** Resolves when every request of the page has somebody to answer it. */
export async function startProgram({ window, settings, files: state }: Start): Promise<void> {
  const files = new ChosenFiles(state, (recent) => {
    menu.setRecent(recent)
    window.send('app.recent-changed', recent)
  })
  const openPath = async (path: string) => window.sendWhenReady('app.open-file', await files.choose(path))
  const menu = new AppMenu(
    {
      send: (command) => window.send('app.menu', { command }),
      openRecent: (token) => void openPath(files.path(token)),
      forgetRecent: () => files.forgetRecent(),
      chooseLanguage: (choice) => {
        const language = chooseLanguage(settings, choice)
        menu.setLanguage(choice)
        window.send('app.language', { language })
      },
    },
    settings.language,
  )
  const progress = new RunProgress((bar) => window.showProgress(bar))
  const spool = join(state.folder, 'results')
  const sessions = new KeptSessions(state, new Spool(spool))
  const named = fileArgument(process.argv, [app.getAppPath()], process.cwd()) !== null
  await Promise.all([sessions.load(named), files.load()])
  const engine = startEngine(window, progress, spool, settings)
  // A host that is gone has no files open; how it fares is reported elsewhere.
  window.onPageGone((crashed) => {
    if (crashed) sessions.interrupted()
    void engine.closeAll(crashed ? window.shownDataset : null).catch(() => undefined)
  })
  window.askBeforeClose(
    () => sessions.hasUnsavedRuns,
    () => mayLeave({ engine, files, sessions, window }),
  )
  endUnasked(window)
  // A normal close, and the signals at the end of the desktop's session: its results stay.
  app.on('will-quit', () => {
    sessions.ended()
    engine.stop()
  })
  state.onNotice((sentence) => window.sendWhenReady('app.notice', { sentence }))
  bindWindow(windowHandlers({ engine, files, settings, window, menu, progress, sessions }))
  takeArguments(window, (path) => void openPath(path))
  app.on('window-all-closed', () => app.quit())
}

/** At the end of the desktop's session, and at a signal, nobody is there to answer: what is unsaved is kept and offered. */
function endUnasked(window: MainWindow): void {
  const end = () => {
    window.closeUnasked()
    app.quit()
  }
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, end)
  powerMonitor.on('shutdown', () => window.closeUnasked())
}

/** Files and folders named when the program starts, or when it is started once more. */
function takeArguments(window: MainWindow, open: (path: string) => void): void {
  const take = (argv: readonly string[], folder: string) => {
    const path = fileArgument(argv, [app.getAppPath()], folder)
    if (path !== null) open(path)
  }
  app.on('second-instance', (_event, argv, folder) => {
    window.focus()
    take(argv, folder)
  })
  take(process.argv, process.cwd())
}

function startEngine(
  window: MainWindow,
  progress: RunProgress,
  spool: string,
  settings: SettingsStore,
): EngineProcess {
  const engine = new EngineProcess({
    node: hostNode(),
    script: hostScript(),
    env: () => withMemory(hostEnvironment(process.env, app.isPackaged), settings.memory),
    spool,
    benchmarks: join(app.getPath('userData'), 'benchmarks'),
    after: window.drawn,
    onEvent: ({ channel, payload }) => {
      if (channel === 'run.event') progress.take(payload)
      if (channel === 'host.notice') window.sendWhenReady('app.notice', payload)
      else window.send(channel, payload as HostEvents[typeof channel])
    },
    onState: (state) => {
      if (state.state !== 'ready') progress.stop()
      window.send('app.host-state', state)
    },
  })
  // Runs wait for the end of the sleep; a host that is gone has none.
  const reportSleep = (asleep: boolean) =>
    void engine.request('host.sleep', { asleep }).catch(() => undefined)
  powerMonitor.on('suspend', () => reportSleep(true))
  powerMonitor.on('resume', () => reportSleep(false))
  return engine
}
