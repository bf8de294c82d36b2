/** Electron main: owns the window, the dialogs and the IPC contract; computes nothing. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, nativeTheme, powerMonitor } from 'electron'
import type { HostEvents } from '@shared/ipc'
import { registerAppScheme, serveApp } from './app-scheme'
import { fileArgument } from './command-line'
import { keepCrashReports } from './crash-reports'
import { EngineProcess } from './engine-process'
import { ChosenFiles } from './files'
import { windowHandlers } from './handlers'
import { hostEnvironment } from './host-environment'
import { bindWindow } from './ipc'
import { KeptSession } from './kept-session'
import { AppMenu } from './menu'
import { hostNode, hostScript } from './paths'
import { RunProgress } from './run-progress'
import { lockSession, quietChromium } from './security'
import { SettingsStore } from './settings'
import { requireUserFolder } from './user-folder'
import { MainWindow } from './window'

// Whoever runs as root in development has to pass --no-sandbox; enforcing it would only end the program.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
app.setName('Centroid Lab')
quietChromium()
const folderDamage = requireUserFolder()
keepCrashReports()
registerAppScheme()

if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(giveUp)
else app.quit()

async function start(): Promise<void> {
  lockSession()
  serveApp()
  const settings = new SettingsStore()
  const damage = await settings.load()
  nativeTheme.themeSource = settings.get().theme
  const window = await MainWindow.create()
  const files = new ChosenFiles((recent) => {
    menu.setRecent(recent)
    window.send('app.recent-changed', recent)
  })
  const openPath = async (path: string) => window.sendWhenReady('app.open-file', await files.choose(path))
  const menu = new AppMenu({
    send: (command) => window.send('app.menu', { command }),
    openRecent: (token) => void openPath(files.path(token)),
    forgetRecent: () => files.forgetRecent(),
  })
  await files.load()
  const progress = new RunProgress((bar) => window.showProgress(bar))
  const session = new KeptSession(app.getPath('userData'))
  // Whoever names a file wants that one.
  const named = fileArgument(process.argv, [app.getAppPath()], process.cwd()) !== null
  if (named) session.forget()
  const engine = startEngine(window, progress, !named && (await session.load()))
  // A host that is gone has no files open; how it fares is told elsewhere.
  window.onPageGone((crashed) => {
    if (crashed) session.interrupted()
    void engine.closeAll(crashed ? session.datasetId : null).catch(() => undefined)
  })
  app.on('will-quit', () => session.forget())
  const notice = folderDamage ?? damage
  if (notice !== null) window.sendWhenReady('app.notice', { sentence: notice })
  bindWindow(windowHandlers({ engine, files, settings, window, menu, progress, session }))
  takeArguments(window, (path) => void openPath(path))
  app.on('window-all-closed', () => app.quit())
  await window.load()
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

/** @param goesOn results of a start that was killed are wanted again; only one instance runs, so nobody else's lie here */
function startEngine(window: MainWindow, progress: RunProgress, goesOn: boolean): EngineProcess {
  const spool = join(app.getPath('userData'), 'results')
  if (!goesOn) rmSync(spool, { recursive: true, force: true })
  const engine = new EngineProcess({
    node: hostNode(),
    script: hostScript(),
    env: hostEnvironment(process.env, app.isPackaged),
    spool,
    benchmarks: join(app.getPath('userData'), 'benchmarks'),
    after: window.drawn,
    onEvent: ({ channel, payload }) => {
      if (channel === 'run.event') progress.take(payload)
      window.send(channel, payload as HostEvents[typeof channel])
    },
    onState: (state) => {
      if (state.state !== 'ready') progress.stop()
      window.send('app.host-state', state)
    },
  })
  // Runs wait for the end of the sleep; a host that is gone has none.
  const tellSleep = (asleep: boolean) => void engine.request('host.sleep', { asleep }).catch(() => undefined)
  powerMonitor.on('suspend', () => tellSleep(true))
  powerMonitor.on('resume', () => tellSleep(false))
  app.on('will-quit', () => {
    engine.stop()
    rmSync(spool, { recursive: true, force: true })
  })
  return engine
}

/** Without a window there is nothing to show an error in. */
function giveUp(error: unknown): void {
  dialog.showErrorBox(
    'Centroid Lab could not start',
    `${String(error)}\nPlease install it again, or report this.`,
  )
  app.exit(1)
}
