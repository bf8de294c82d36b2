import type { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MainWindow } from './window'

const electron = vi.hoisted(() => ({
  loadURL: vi.fn<() => Promise<void>>(),
  showMessageBox: vi.fn<(box: object) => Promise<object>>(),
  quit: vi.fn(),
}))

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  class BrowserWindow extends Emitter {
    readonly webContents = Object.assign(new Emitter(), {
      isCrashed: () => false,
      forcefullyCrashRenderer: vi.fn(),
      debugger: { attach: vi.fn(), sendCommand: vi.fn(() => Promise.resolve()) },
    })
    readonly loadURL = electron.loadURL
    isDestroyed = () => false
    setTitle = vi.fn()
    setRepresentedFilename = () => undefined
  }
  return {
    BrowserWindow,
    dialog: electron,
    nativeTheme: { shouldUseDarkColors: false },
    app: electron,
    session: {},
  }
})
vi.mock('./app-scheme', () => ({ appOrigin: 'app://lab' }))
vi.mock('./paths', () => ({ builtFile: () => 'preload.cjs', windowIcon: () => 'icon.png' }))

beforeEach(() => {
  electron.loadURL.mockReset().mockResolvedValue()
  electron.showMessageBox.mockReset().mockReturnValue(new Promise(() => undefined))
  electron.quit.mockReset()
})

const state = { bounds: {}, maximised: false }
const crash = (page: EventEmitter) => page.emit('render-process-gone', {}, { reason: 'crashed' })

describe('a page that ends', () => {
  it('is drawn again, but not for ever', async () => {
    const page = new MainWindow(state, () => undefined).browser.webContents
    crash(page)
    crash(page)
    expect([electron.loadURL.mock.calls.length, electron.showMessageBox.mock.calls.length]).toEqual([2, 0])
    crash(page)
    expect([electron.loadURL.mock.calls.length, electron.showMessageBox.mock.calls.length]).toEqual([2, 1])
    expect(electron.showMessageBox.mock.calls[0]?.[0]).toMatchObject({
      message: expect.stringMatching(/close Centroid Lab and start it again/),
      detail: expect.stringMatching(/results are kept and offered at the next start/),
    })
  })

  it('is given up in a box that holds nothing, and closes the program when it was read', async () => {
    let read = (_answer: object): void => undefined
    electron.showMessageBox.mockReturnValue(new Promise((resolve) => (read = resolve)))
    const page = new MainWindow(state, () => undefined).browser.webContents
    for (let times = 0; times < 3; times++) crash(page)
    expect(electron.quit).not.toHaveBeenCalled()
    read({ response: 0 })
    await vi.waitFor(() => expect(electron.quit).toHaveBeenCalledOnce())
  })

  it('and cannot be drawn again is told in one sentence', async () => {
    const page = new MainWindow(state, () => undefined).browser.webContents
    electron.loadURL.mockRejectedValue(new Error('ERR_FILE_NOT_FOUND'))
    crash(page)
    await vi.waitFor(() => expect(electron.showMessageBox).toHaveBeenCalledOnce())
  })

  it.each(['render-process-gone', 'did-navigate'])('lets go of what it had open: %s', async (event) => {
    const window = new MainWindow(state, () => undefined)
    const gone = vi.fn()
    window.onPageGone(gone)
    window.browser.webContents.emit(event as 'did-navigate', {}, { reason: 'crashed' })
    expect(gone).toHaveBeenCalledOnce()
  })
})

describe('the title', () => {
  it('shows controls in the name of a file instead of carrying them out', () => {
    const window = new MainWindow(state, () => undefined)
    window.opened('d1', '/data/a\u001b[31m\u202e.csv')
    expect(window.browser.setTitle).toHaveBeenLastCalledWith('a\\x1b[31m\\u{202e}.csv – Centroid Lab')
  })
})

describe('a page that makes a frame', () => {
  it('is not ours any more and is ended; its own main frame is none', () => {
    const { webContents } = new MainWindow(state, () => undefined).browser
    const made = (frame: object | null) => webContents.emit('frame-created', {} as never, { frame } as never)
    made({ parent: null })
    made(null)
    expect(webContents.forcefullyCrashRenderer).not.toHaveBeenCalled()
    made({ parent: {} })
    expect(webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce()
  })
})
