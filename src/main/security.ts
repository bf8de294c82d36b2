import { app, session, type WebContents } from 'electron'
import { appOrigin, appScheme } from './app-scheme'

/** Switches off what Chromium would do on a network by itself. Before the app is ready. */
export function quietChromium(): void {
  for (const name of [
    'disable-background-networking',
    'disable-component-update',
    'disable-sync',
    'no-pings',
  ]) {
    app.commandLine.appendSwitch(name)
  }
  app.commandLine.appendSwitch('disable-quic')
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
}

/** No network, no permissions, no other page: once the app is ready. */
export function lockSession(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOurs(url) }))
  app.on('web-contents-created', (_event, contents) => lockContents(contents))
}

function lockContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

function isOurs(url: string): boolean {
  const { protocol } = new URL(url)
  return [`${appScheme}:`, 'devtools:', 'blob:', 'data:'].includes(protocol)
}

/** Is this the main frame of our own page? */
export function isOurPage(frame: Electron.WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.url.startsWith(`${appOrigin}/`)
}
