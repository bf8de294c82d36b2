/**
 * Electron main: owns the window, the dialogs and the IPC contract; computes nothing. What stands before the first frame is here
 * and small; the rest of the program is read while the page's process starts.
 */
import { app, dialog, Menu, nativeTheme } from 'electron'
import { printable } from '@shared/printable'
import { registerAppScheme, serveApp } from './app-scheme'
import { keepCrashReports } from './crash-reports'
import { lockSession, outliveGpuProcess, quietChromium } from './security'
import { speakChosen } from './language'
import { SettingsStore } from './settings'
import { StateFiles } from './state-files'
import { clearTemporary, earlierSocketFolder, requireUserFolder } from './user-folder'
import { MainWindow } from './window'
import { keepWindowState, readWindowState } from './window-state'

// Whoever runs as root in development has to pass --no-sandbox; enforcing it would only end the program.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
app.setName('Centroid Lab')
quietChromium()
outliveGpuProcess()
const folderDamage = requireUserFolder()
keepCrashReports()
registerAppScheme()
// Ours comes with the rest: Electron's own need not be made for that long.
Menu.setApplicationMenu(null)

const earlierSocket = earlierSocketFolder()
if (app.requestSingleInstanceLock()) openWindow().catch(giveUp)
else app.quit()

async function openWindow(): Promise<void> {
  const files = new StateFiles(app.getPath('userData'))
  files.removeUnfinished()
  if (folderDamage !== null) files.notice(folderDamage)
  const settings = new SettingsStore(files)
  // Read while Chromium starts.
  const [state] = await Promise.all([readWindowState(files), settings.load(), app.whenReady()])
  lockSession()
  nativeTheme.themeSource = settings.get().theme
  speakChosen(settings)
  const window = new MainWindow(state, (browser) => keepWindowState(files, browser))
  let program: Promise<void> | undefined
  const begin = () =>
    (program ??= import('./program').then(({ startProgram }) => startProgram({ window, settings, files })))
  serveApp(begin)
  await window.load()
  await begin()
  // Of a large folder that takes its time, which the first frame has not.
  clearTemporary(earlierSocket)
}

/** Without a window there is nothing to show an error in. */
function giveUp(error: unknown): void {
  const message = 'Centroid Lab could not start: install it again, or report this.'
  dialog
    .showMessageBox({ type: 'error', title: 'Centroid Lab', message, detail: printable(String(error)) })
    .finally(() => app.exit(1))
}
