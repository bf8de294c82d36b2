import { app, session, type Session, type WebContents } from 'electron'
import { appOrigin } from './app-scheme'

/** What Chromium would do on a network by itself. */
const quiet = [
  'disable-background-networking',
  'disable-component-update',
  'disable-domain-reliability',
  'disable-quic',
  'disable-sync',
  'no-pings',
  // No proxy is looked for either: finding one is a request of its own.
  'no-proxy-server',
]

/** Before the app is ready. */
export function quietChromium(): void {
  for (const name of quiet) app.commandLine.appendSwitch(name)
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
}

/** No network, no permissions, no downloads, no other page: once the app is ready. */
export function lockSession(): void {
  lock(session.defaultSession)
  app.on('session-created', lock)
  app.on('web-contents-created', (_event, contents) => lockContents(contents))
}

function lock(own: Session): void {
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOurs(url) }))
  // Chromium would fetch a dictionary, past webRequest: no language needs one, and its place is a page of ours.
  own.setSpellCheckerEnabled(false)
  own.setSpellCheckerLanguages([])
  own.setSpellCheckerDictionaryDownloadURL(`${appOrigin}/`)
  // What the person exports is written by main, where a dialog said.
  own.on('will-download', (event) => event.preventDefault())
}

function lockContents(contents: WebContents): void {
  // Peer connections pass neither the content security policy's sources nor webRequest.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Our pages and what they made themselves; the developer tools, where there are any, are pages of Electron's. */
function isOurs(url: string): boolean {
  const ours = [`${appOrigin}/`, `blob:${appOrigin}/`, 'data:', ...(app.isPackaged ? [] : ['devtools:'])]
  return ours.some((start) => url.startsWith(start))
}

/** Is this the main frame of our own page? */
export function isOurPage(frame: Electron.WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.url.startsWith(`${appOrigin}/`)
}
