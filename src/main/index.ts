/** Electron main: owns the window, the dialogs and the IPC contract; computes nothing. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, nativeTheme } from 'electron'
import type { HostEvents } from '@shared/ipc'
import { registerAppScheme, serveApp } from './app-scheme'
import { fileArgument } from './command-line'
import { EngineProcess } from './engine-process'
import { ChosenFiles } from './files'
import { windowHandlers } from './handlers'
import { bindWindow } from './ipc'
import { buildMenu } from './menu'
import { builtFile, hostNode } from './paths'
import { lockSession, quietChromium } from './security'
import { SettingsStore } from './settings'
import { MainWindow } from './window'

// Whoever runs as root in development has to pass --no-sandbox; enforcing it would only end the program.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
app.setName('Centroid Lab')
quietChromium()
registerAppScheme()

if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(giveUp)
else app.quit()

async function start(): Promise<void> {
  lockSession()
  serveApp()
  const settings = new SettingsStore()
  const files = new ChosenFiles()
  const [{ theme }] = await Promise.all([settings.load(), files.load()])
  nativeTheme.themeSource = theme
  const window = await MainWindow.create()
  const engine = startEngine(window)
  bindWindow(windowHandlers({ engine, files, settings, window }))
  buildMenu((command) => window.send('app.menu', { command }))

  const openArgument = (argv: readonly string[], folder: string) => {
    const path = fileArgument(argv, [app.getAppPath()], folder)
    if (path !== null) window.sendWhenReady('app.open-file', files.register(path))
  }
  app.on('second-instance', (_event, argv, folder) => {
    window.focus()
    openArgument(argv, folder)
  })
  app.on('window-all-closed', () => app.quit())
  openArgument(process.argv, process.cwd())
  await window.load()
}

function startEngine(window: MainWindow): EngineProcess {
  // Only one instance runs: what lies here was left by one that was killed.
  const spool = join(app.getPath('userData'), 'results')
  rmSync(spool, { recursive: true, force: true })
  const engine = new EngineProcess({
    node: hostNode(),
    script: builtFile('main', 'host.js'),
    spool,
    onEvent: ({ channel, payload }) => window.send(channel, payload as HostEvents[typeof channel]),
    onState: (state) => window.send('app.host-state', state),
  })
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
