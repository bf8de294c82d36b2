/**
 * Electron main: owns the window, the dialogs and the IPC contract; computes nothing. What stands before the first frame is here
 * and small; the rest of the program is read while the page's process starts.
 */
import { app, dialog, Menu, nativeTheme } from 'electron'
import { registerAppScheme, serveApp } from './app-scheme'
import { keepCrashReports } from './crash-reports'
import { lockSession, quietChromium } from './security'
import { SettingsStore } from './settings'
import { requireUserFolder } from './user-folder'
import { MainWindow } from './window'
import { readWindowState } from './window-state'

// Whoever runs as root in development has to pass --no-sandbox; enforcing it would only end the program.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
app.setName('Centroid Lab')
quietChromium()
const folderDamage = requireUserFolder()
keepCrashReports()
registerAppScheme()
// Ours comes with the rest: Electron's own need not be made for that long.
Menu.setApplicationMenu(null)

if (app.requestSingleInstanceLock()) openWindow().catch(giveUp)
else app.quit()

async function openWindow(): Promise<void> {
  const settings = new SettingsStore()
  // Read while Chromium starts.
  const [damage, state] = await Promise.all([settings.load(), readWindowState(), app.whenReady()])
  lockSession()
  nativeTheme.themeSource = settings.get().theme
  const window = new MainWindow(state)
  let program: Promise<void> | undefined
  const begin = () =>
    (program ??= import('./program').then(({ startProgram }) =>
      startProgram({ window, settings, notice: folderDamage ?? damage }),
    ))
  serveApp(begin)
  await window.load()
  await begin()
}

/** Without a window there is nothing to show an error in. */
function giveUp(error: unknown): void {
  dialog.showErrorBox(
    'Centroid Lab could not start',
    `${String(error)}\nPlease install it again, or report this.`,
  )
  app.exit(1)
}
