/** Electron main: owns the window, the dialogs and the IPC contract; computes nothing. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { app, nativeTheme } from 'electron'
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

if (app.requestSingleInstanceLock()) void app.whenReady().then(start)
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
    const path = fileArgument(argv, folder)
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
  const spool = join(app.getPath('userData'), 'results', String(process.pid))
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
