import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import * as v from 'valibot'
import type { AppEvents } from '@shared/ipc'
import { appOrigin } from './app-scheme'
import { readJson, writeJsonNow } from './json-file'
import { builtFile } from './paths'

const boundsSchema = v.object({
  x: v.pipe(v.number(), v.integer()),
  y: v.pipe(v.number(), v.integer()),
  width: v.pipe(v.number(), v.integer(), v.minValue(900)),
  height: v.pipe(v.number(), v.integer(), v.minValue(600)),
})
const usualSize = { width: 1280, height: 800 }

/** The one window: sandboxed, isolated, and where it was last time. */
export class MainWindow {
  readonly browser: BrowserWindow
  #ready = false
  readonly #waiting: (() => void)[] = []

  private constructor(bounds: Partial<Electron.Rectangle>) {
    this.browser = new BrowserWindow({
      ...usualSize,
      ...bounds,
      minWidth: 900,
      minHeight: 600,
      show: false,
      title: 'Centroid Lab',
      // The colour of the page, so that nothing flashes before it is drawn.
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181b' : '#ffffff',
      webPreferences: {
        preload: builtFile('preload', 'index.cjs'),
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    })
    this.browser.once('ready-to-show', () => this.browser.show())
    this.browser.on('close', () => writeJsonNow(boundsFile(), this.browser.getNormalBounds()))
    // The results are the engine host's: a page that crashed is drawn again, and the person goes on.
    this.browser.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void this.load()
    })
    // A page that was loaded again asks for its files once more.
    this.browser.webContents.on('did-start-loading', () => (this.#ready = false))
  }

  static async create(): Promise<MainWindow> {
    const stored = await readJson(boundsFile(), boundsSchema)
    return new MainWindow(stored !== null && isOnScreen(stored) ? stored : {})
  }

  async load(): Promise<void> {
    await this.browser.loadURL(`${appOrigin}/index.html`)
  }

  send<K extends keyof AppEvents>(channel: K, payload: AppEvents[K]): void {
    if (!this.browser.isDestroyed()) this.browser.webContents.send(channel, payload)
  }

  /** Sends as soon as the page listens. */
  sendWhenReady<K extends keyof AppEvents>(channel: K, payload: AppEvents[K]): void {
    if (this.#ready) this.send(channel, payload)
    else this.#waiting.push(() => this.send(channel, payload))
  }

  pageIsReady(): void {
    this.#ready = true
    for (const send of this.#waiting.splice(0)) send()
  }

  focus(): void {
    if (this.browser.isMinimized()) this.browser.restore()
    this.browser.focus()
  }
}

function boundsFile(): string {
  return join(app.getPath('userData'), 'window.json')
}

function isOnScreen({ x, y, width }: Electron.Rectangle): boolean {
  return screen.getAllDisplays().some(({ workArea }) => {
    const right = workArea.x + workArea.width
    return (
      x + width > workArea.x + 100 &&
      x < right - 100 &&
      y >= workArea.y &&
      y < workArea.y + workArea.height - 100
    )
  })
}
