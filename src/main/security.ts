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
  // Names for peer connections would be answered for on the local network, by multicast.
  app.commandLine.appendSwitch('disable-features', 'WebRtcHideLocalIpsWithMdns')
}

/** Chromium ends the program at the sixth death of its GPU process; a new one draws as well as the first. Before the app is ready. */
export function outliveGpuProcess(): void {
  app.commandLine.appendSwitch('disable-gpu-process-crash-limit')
}

/** Nothing of ours needs them, and making one opens sockets whatever becomes of it. */
const peerConnections = ['RTCPeerConnection', 'webkitRTCPeerConnection']
const withoutPeers = `for (const name of ${JSON.stringify(peerConnections)}) delete globalThis[name]`

/**
 * Takes peer connections out of the page and every frame it makes: no switch of Chromium does. By the protocol of its
 * tools a script runs as soon as a frame has globals, before whoever made the frame can reach them; a preload script
 * runs in no frame of the page's own making. Before the page is loaded; one that is drawn again has it too.
 */
export function forbidPeerConnections(contents: WebContents): void {
  const { debugger: tools } = contents
  tools.attach('1.3')
  const script = { source: withoutPeers, runImmediately: true }
  tools.sendCommand('Page.addScriptToEvaluateOnNewDocument', script).catch((error: unknown) => {
    if (!contents.isDestroyed()) console.warn(`Peer connections could not be taken away: ${String(error)}`)
  })
}

/**
 * Our page has no frames: one that makes a frame is not ours any more, and is ended. Each frame means globals of its own, and
 * while the protocol of `forbidPeerConnections` is notified of one, the next could be made behind its back.
 */
export function forbidFrames(contents: WebContents): void {
  contents.on('frame-created', (_event, { frame }) => {
    if (frame !== null && frame.parent !== null) contents.forcefullyCrashRenderer()
  })
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
  // Should one come to be: they pass neither the content security policy nor webRequest.
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
