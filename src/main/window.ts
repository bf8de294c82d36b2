import { basename } from 'node:path'
import { app, BrowserWindow, dialog, nativeTheme } from 'electron'
import type { AppEvents } from '@shared/ipc'
import { currentLanguage } from '@shared/locale/translate'
import type { SessionFacts } from '@shared/session'
import { printable } from '@shared/printable'
import { appOrigin } from './app-scheme'
import { builtFile, windowIcon } from './paths'
import { stemOf } from './stem'
import { Repeats } from './repeats'
import { forbidFrames, forbidPeerConnections } from './security'
import { assureSeen } from './seen-page'
import type { WindowState } from './window-state'
import { t } from '@shared/locale/translate'

const title = 'Centroid Lab'
const usualSize = { width: 1280, height: 800 }
/** A page that crashes this often within `crashesMs` is not drawn again: it would go on for ever. */
const maxCrashes = 3
const crashesMs = 60_000
const keptSentence = (): string => t('desktop.finishedResultsAreKeptAndOffered')

/** The one window: sandboxed, isolated, and where it was last time. */
export class MainWindow {
  readonly browser: BrowserWindow
  /** Resolves when the page is drawn for the first time and listens, or will not be. */
  readonly drawn: Promise<void>
  #isDrawn: () => void = () => undefined
  #ready = false
  readonly #waiting: (() => void)[] = []
  #shownDataset: string | null = null
  /** Of its file. */
  #path: string | null = null
  readonly #crashes = new Repeats(maxCrashes, crashesMs)
  #loads = 0
  /** The page is drawn again after a crash: its successor is no other page. */
  #crashed = false
  #pageGone: (crashed: boolean) => void = () => undefined
  #session: SessionFacts = { name: null, unsaved: false }
  /** Null: nothing is to be asked before the window closes. */
  #beforeClose: (() => Promise<boolean>) | null = null
  #isAsking = false

  /** @param keep is called with the window as it is left */
  constructor(state: WindowState, keep: (window: BrowserWindow) => void) {
    this.browser = new BrowserWindow({
      ...usualSize,
      ...state.bounds,
      minWidth: 900,
      minHeight: 600,
      show: false,
      title,
      icon: windowIcon(),
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
    this.drawn = new Promise((resolve) => {
      this.#isDrawn = resolve
      this.browser.webContents.once('did-fail-load', () => resolve())
      this.browser.webContents.once('render-process-gone', () => resolve())
    })
    this.browser.once('ready-to-show', () => {
      if (state.maximised) this.browser.maximize()
      this.browser.show()
      void assureSeen(this.browser)
    })
    this.browser.on('close', (event) => {
      keep(this.browser)
      this.#ask(event)
    })
    // The title names the open file, whatever the page is called.
    this.browser.on('page-title-updated', (event) => event.preventDefault())
    forbidPeerConnections(this.browser.webContents)
    forbidFrames(this.browser.webContents)
    // The results are the engine host's: a page that crashed is drawn again, and the person goes on.
    this.browser.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#drawAgain()
    })
    this.browser.webContents.on('did-navigate', () => {
      if (this.#crashed) this.#crashed = false
      else this.#pageGone(false)
    })
    // A page that was loaded again shows nothing yet, and asks for its files once more.
    this.browser.webContents.on('did-start-loading', () => {
      this.#ready = false
      this.#shownDataset = null
      this.#name(null)
    })
  }

  /** @param ask resolves to whether the window may close; it is called once at a time */
  askBeforeClose(needed: () => boolean, ask: () => Promise<boolean>): void {
    this.#beforeClose = async () => !needed() || (await ask())
    this.#isNeeded = needed
  }

  /** The desktop ends: nobody is there to answer. */
  closeUnasked(): void {
    this.#beforeClose = null
  }

  #isNeeded: () => boolean = () => false

  #ask(event: { preventDefault(): void }): void {
    const ask = this.#beforeClose
    if (ask === null || !this.#isNeeded()) return
    event.preventDefault()
    if (this.#isAsking) return
    this.#isAsking = true
    void ask()
      .catch((error: unknown) => {
        this.sendWhenReady('app.notice', { sentence: error instanceof Error ? error.message : String(error) })
        return false
      })
      .then((go) => {
        this.#isAsking = false
        if (!go || this.browser.isDestroyed()) return
        this.closeUnasked()
        this.browser.close()
      })
  }

  async load(): Promise<void> {
    // The first frame is in the language of the person already.
    await this.browser.loadURL(`${appOrigin}/index.html?language=${currentLanguage()}`)
  }

  /** For what belonged to a page: called as soon as another one, or none after a crash, is in its place. */
  onPageGone(listener: (crashed: boolean) => void): void {
    this.#pageGone = listener
  }

  #drawAgain(): void {
    this.#crashed = true
    this.#pageGone(true)
    if (this.#crashes.again()) {
      this.#giveUp(t('desktop.theWindowEndedSeveralTimesWithin'))
      return
    }
    const load = ++this.#loads
    this.load().catch(() => {
      // One that crashed while it loaded, or was loaded once more, is reported elsewhere.
      const last = load === this.#loads && !this.browser.isDestroyed()
      if (last && !this.browser.webContents.isCrashed()) this.#giveUp(t('desktop.theWindowCannotBeDrawn'))
    })
  }

  /** Without a page there is nothing else to show it in; a box that waited for its answer would hold main. */
  #giveUp(what: string): void {
    const message = t('desktop.closeCentroidLabAndStartIt', [what])
    const buttons = [t('desktop.closeCentroidLab')]
    void dialog
      .showMessageBox({ type: 'error', title, message, detail: keptSentence(), buttons })
      .then(() => app.quit())
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
    this.#isDrawn()
    for (const send of this.#waiting.splice(0)) send()
  }

  /** What a file made of the open one is proposed to be called: `iris-labels.csv`. */
  proposedName(name: string): string {
    return this.#path === null ? name : `${stemOf(this.#path)}-${name}`
  }

  /** The dataset shown from now on. */
  opened(datasetId: string, path: string): void {
    this.#shownDataset = datasetId
    this.#name(path)
  }

  get shownDataset(): string | null {
    return this.#shownDataset
  }

  /** How the session on screen stands. */
  session(facts: SessionFacts): void {
    this.#session = facts
    this.#name(this.#path)
  }

  closed(datasetId: string): void {
    if (datasetId !== this.#shownDataset) return
    this.#shownDataset = null
    this.#name(null)
  }

  #name(path: string | null): void {
    this.#path = path
    if (this.browser.isDestroyed()) return
    const { name, unsaved } = this.#session
    const names = [name, path === null ? null : basename(path)].filter((each) => each !== null).map(printable)
    const mark = unsaved ? '• ' : ''
    this.browser.setTitle(names.length === 0 ? `${mark}${title}` : `${mark}${names.join(' · ')} – ${title}`)
    if (process.platform !== 'darwin') return
    this.browser.setRepresentedFilename(path ?? '')
    this.browser.setDocumentEdited(unsaved)
  }

  /** In the taskbar: a share from 0 to 1, below 0 no bar, above 1 a bar without an end. */
  showProgress(bar: number): void {
    if (!this.browser.isDestroyed()) this.browser.setProgressBar(bar)
  }

  focus(): void {
    if (this.browser.isMinimized()) this.browser.restore()
    this.browser.focus()
  }
}
