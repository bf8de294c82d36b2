// Electron's main for scripts/bench-startup.mjs: an empty window, or the program itself, and one line on standard output as soon
// as the page has drawn what the selector names. The probe is the same for both, so it falls out of their ratio.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, BrowserWindow } from 'electron'

const { STARTUP_ROOT: root, STARTUP_SELECTOR: selector = 'body' } = process.env

app.on('browser-window-created', (_event, window) => {
  window.webContents.once('dom-ready', () => void reportWhenDrawn(window))
})

if (root === undefined) void app.whenReady().then(emptyWindow)
else {
  // The program finds its parts from here.
  Object.assign(app, { getAppPath: () => root })
  await import(pathToFileURL(join(root, 'out', 'main', 'index.js')).href)
}

/** What Electron asks of any program: a sandboxed window of the usual size that shows when it has something to show. */
async function emptyWindow() {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    show: false,
    webPreferences: { sandbox: true },
  })
  window.once('ready-to-show', () => window.show())
  app.on('window-all-closed', () => app.quit())
  await window.loadURL('data:text/html,<!doctype html><title>Empty</title><p>Empty</p>')
}

/** @param {import('electron').BrowserWindow} window */
async function reportWhenDrawn(window) {
  await window.webContents.executeJavaScript(`new Promise((drawn) => {
    const look = () =>
      document.querySelector(${JSON.stringify(selector)}) === null
        ? setTimeout(look, 1)
        : requestAnimationFrame(() => requestAnimationFrame(() => drawn(null)))
    look()
  })`)
  process.stdout.write('usable\n')
}
