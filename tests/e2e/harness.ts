import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import {
  _electron,
  errors,
  type CDPSession,
  type ElectronApplication,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect } from 'vitest'
import type { Settings } from '@shared/ipc'

const root = resolve(import.meta.dirname, '../..')

/** Whether each start is under a trace of its system calls, as `npm run test:airgap` has it. */
export const isTraced = process.env['CENTROID_LAB_E2E_PROGRAM'] !== undefined

/** Frames of a gesture over a plot, as its probe saw them. */
export interface Frames {
  readonly count: number
  readonly longestMs: number
  /** Longer than two periods of the screen. */
  readonly missed: number
}

/** Of which it needs one or two, and ten under a trace on a busy machine. */
const startMs = 40_000

/** Of all frames of all gestures, the share that may take longer than two periods: the 95th percentile is within them. */
const maxMissedShare = 0.05

/** Over all gestures together; what a frame takes under a trace is the trace's. */
export function areFluid(gestures: readonly Frames[]): boolean {
  const sum = (of: (frames: Frames) => number) => gestures.reduce((total, frames) => total + of(frames), 0)
  return isTraced || sum(({ missed }) => missed) <= maxMissedShare * sum(({ count }) => count)
}

/** Of the gesture that has just ended. */
export async function framesOf(plot: Locator): Promise<Frames> {
  const numberOf = async (name: string) => Number(await plot.getAttribute(name))
  const [count, longestMs] = [await numberOf('data-frames'), await numberOf('data-longest-frame-ms')]
  expect(count).toBeGreaterThan(10)
  return { count, longestMs, missed: await numberOf('data-missed-frames') }
}

/** Of a start of the program: which test file it is for, should it be traced. */
export function ofThisFile(): Readonly<Record<string, string>> {
  return { CENTROID_LAB_E2E_FILE: basename(expect.getState().testPath ?? 'unknown') }
}

/** The real application with a user folder of its own. */
export interface Lab {
  readonly app: ElectronApplication
  readonly page: Page
  /** Scratch folder, gone at the end. */
  readonly folder: string
  at(testId: string): Locator
  /** Drops a file with trusted drag events, as a file manager would: in the middle of the window, or of a part of it. */
  drop(path: string, onto?: Locator): Promise<void>
  /** Opens an example by dropping it and waits until it is loaded. */
  openExample(name: string): Promise<void>
  /** The next save dialogs answer this path. */
  saveAs(path: string): Promise<void>
  /** The next open dialogs answer this path. */
  openFrom(path: string): Promise<void>
  /** The next questions are answered by the button whose text begins so. */
  answer(button: string): Promise<void>
  /** What was asked since. */
  questions(): Promise<readonly string[]>
  /** Ends the program without saving; its folder stays. */
  end(): Promise<void>
  /** Process id of the engine host. */
  hostPid(): number
  /** The smallest window there is, for as long as something is looked at. */
  smallest(look: () => Promise<void>): Promise<void>
  /** Into E2E_SCREENSHOTS, where somebody looks at them; nowhere without it. */
  picture(name: string): Promise<void>
  close(): Promise<void>
}

/** Of a person who keeps every setting in sight and starts each run by hand, as most tests do. */
const unfolded: Partial<Settings> = {
  startOpen: true,
  advancedOpen: true,
  factsOpen: true,
  phasesOpen: true,
  live: false,
  lastConfig: { nInit: 1 },
}

/**
 * @param home folder of an earlier start, whose settings it finds; it stays when the application ends
 * @param settings found at a first start; null: none, as after an installation
 */
export async function launch(
  args: readonly string[] = [],
  home: string | null = null,
  settings: Partial<Settings> | null = unfolded,
): Promise<Lab> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'centroid lab é ')))
  if (settings) await remember(folder, settings)
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const program = process.env['CENTROID_LAB_E2E_PROGRAM']
  const app = await started({
    ...(program ? { executablePath: program } : {}),
    args: [...asRoot, `--user-data-dir=${join(folder, 'user')}`, root, ...args],
    env: environment({ CENTROID_LAB_CACHE_DIR: join(folder, 'cache'), ...ofThisFile() }),
  })
  const page = await app.firstWindow()
  // What is dropped before the page listens is lost on anybody.
  await page.locator('[data-testid=drop-zone], [data-testid=dataset-name]').first().waitFor()
  const cdp = await page.context().newCDPSession(page)
  const at = (testId: string) => page.getByTestId(testId)
  const drop = (path: string, onto?: Locator) => dropFile(cdp, page, path, onto)
  const lab: Lab = {
    app,
    page,
    folder,
    at,
    drop,
    async openExample(name) {
      await drop(join(root, 'examples', name))
      await at('dataset-name').filter({ hasText: name }).waitFor()
    },
    saveAs: (path) =>
      app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
      }, path),
    hostPid: () => hostOf(app.process().pid),
    smallest: (look) => inSmallest(app, page, look),
    async picture(name) {
      const target = process.env['E2E_SCREENSHOTS']
      if (!target) return
      await mkdir(target, { recursive: true })
      await page.screenshot({ path: join(target, `${name}.png`) })
    },
    openFrom: (path) =>
      app.evaluate(({ dialog }, filePath) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] })
      }, path),
    answer: (button) =>
      app.evaluate(({ dialog }, label) => {
        const asked: string[] = []
        Object.assign(globalThis, { askedQuestions: asked })
        dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
          asked.push(options.message)
          const response = (options.buttons ?? []).findIndex((each) => each.startsWith(label))
          return Promise.resolve({ response: Math.max(0, response), checkboxChecked: false })
        }) as typeof dialog.showMessageBox
      }, button),
    questions: () => app.evaluate(() => (globalThis as { askedQuestions?: string[] }).askedQuestions ?? []),
    async end() {
      // What is not saved stays with the program: most tests have nothing to say about it.
      await lab.answer("Don't save").catch(() => undefined)
      await app.close()
    },
    async close() {
      await lab.end()
      if (home !== null) return
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return lab
}

/** Writes settings where there are none yet. */
async function remember(folder: string, settings: Partial<Settings>): Promise<void> {
  await mkdir(join(folder, 'user'), { recursive: true })
  const path = join(folder, 'user', 'settings.json')
  await writeFile(path, JSON.stringify(settings), { flag: 'wx' }).catch(() => null)
}

/**
 * Playwright now and then, of some thirty starts under a trace once, never hears that a program has started, whose window stands there
 * with nobody to look at it: it is asked once more. A program that does not start fails twice.
 */
async function started(how: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  try {
    return await _electron.launch({ ...how, timeout: startMs })
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
    console.warn(`no word of the program within ${startMs / 1000} s: started once more`)
    return _electron.launch({ ...how, timeout: startMs })
  }
}

function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...Object.fromEntries(own), ...more }
}

async function dropFile(cdp: CDPSession, page: Page, path: string, onto?: Locator): Promise<void> {
  const whole = await page.evaluate(() => ({ x: 0, y: 0, width: innerWidth, height: innerHeight }))
  const { x, y, width, height } = (await onto?.boundingBox()) ?? whole
  const event = {
    x: x + width / 2,
    y: y + height / 2,
    data: { items: [], files: [path], dragOperationsMask: 1 },
  }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, ...event })
  }
}

async function inSmallest(app: ElectronApplication, page: Page, look: () => Promise<void>): Promise<void> {
  const resize = (size: readonly number[] | null) =>
    app.evaluate(({ BrowserWindow }, wanted) => {
      const [window] = BrowserWindow.getAllWindows()
      const [width, height] = wanted ?? window.getMinimumSize()
      const before = window.getSize()
      window.setSize(width, height)
      return before
    }, size)
  const widthOf = () => page.evaluate(() => outerWidth)
  const before = await resize(null)
  try {
    await expect.poll(widthOf).toBeLessThan(before[0])
    await look()
  } finally {
    await resize(before)
    await expect.poll(widthOf).toBe(before[0])
  }
}

/** The engine host among the children of a process. */
function hostOf(parent: number | undefined): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const facts = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const ancestor = Number(facts.slice(facts.lastIndexOf(')') + 2).split(' ')[1])
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0')
      if (ancestor === parent && command[1]?.endsWith('host.js')) return Number(entry)
    } catch {
      // The process ended while the list was read.
    }
  }
  throw new Error('the engine host is not running')
}
