import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chanceOf } from '../fuzz/chance'
import { Finished, requireNothingLeft } from './checks'
import { descendantsOf, Driver, hangMs, isRunning, processOf, traceOf } from './driver'
import { begin, data, endComparison, works } from './work'

export const targets = ['host', 'main', 'renderer', 'gpu'] as const
export type Target = (typeof targets)[number]

/** Of one loop. */
export interface Report {
  readonly kills: number
  /** Until the window answered again, sorted. */
  readonly answersMs: readonly number[]
  readonly finishedRuns: number
}

/** A kill falls within this time after work has begun. */
const maxWaitMs = 1500
/** The engine process is given up when it dies four times, each time this soon. */
const quickDeathMs = 5200
/** A page is not drawn a third time within a minute. */
const pageDeathsOfAStart = 2

/**
 * Kills one process again and again in the middle of work, and looks after each kill: the window answers within 10 s, every
 * finished run is there with its labels, no file is half written, and no process is left of what was ended.
 */
export async function killAgainAndAgain(
  target: Target,
  { home, kills, seed }: { readonly home: string; readonly kills: number; readonly seed: number },
): Promise<Report> {
  const finished = new Finished(home)
  const answersMs: number[] = []
  let driver = await begun(home, finished)
  try {
    for (let kill = 0; kill < kills; kill++) {
      const chance = chanceOf(seed + kill)
      const work = chance.of(works)
      const where = `${target} ${kill + 1} of ${kills} (seed ${seed + kill}, ${work})`
      try {
        const since = performance.now()
        await begin(work, driver, home)
        await delay(chance.of([0, 0.03, 0.1, 0.3, 1]) * maxWaitMs)
        await noteIfDone(driver, finished)
        if (target === 'host') await delay(Math.max(0, quickDeathMs - (performance.now() - since)))
        const restarted = await killOnce(target, driver, home)
        driver = restarted.driver
        answersMs.push(restarted.ms)
        await finished.check()
        requireNothingLeft(home)
        if (target === 'renderer' && kill % pageDeathsOfAStart === 1)
          driver = await startedAgain(driver, home)
        await untilIdle(driver)
      } catch (error) {
        throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
      }
    }
    return { kills, answersMs: answersMs.sort((a, b) => a - b), finishedRuns: finished.count }
  } finally {
    await driver.close()
  }
}

/** The file is open and two runs are done. */
async function begun(home: string, finished: Finished): Promise<Driver> {
  const driver = await Driver.start(home, [join(home, data)])
  await driver.until(
    'the file',
    async () => (await driver.text('dataset-name'))?.includes(data) ?? false,
    30_000,
  )
  for (const restarts of ['1', '12']) {
    await driver.type('k', '40')
    await driver.click('advanced')
    await driver.type('n-init', restarts)
    await driver.menu('run')
    await driver.until('the run', async () => (await driver.runState()) === 'done', 60_000)
    finished.note()
  }
  return driver
}

async function noteIfDone(driver: Driver, finished: Finished): Promise<void> {
  if ((await driver.runState()) === 'done') finished.note()
}

interface Restarted {
  readonly driver: Driver
  /** Until the window answered. */
  readonly ms: number
}

async function killOnce(target: Target, driver: Driver, home: string): Promise<Restarted> {
  if (target === 'main') return killMain(driver, home)
  const kind = { host: /host\.js/, renderer: /--type=renderer/, gpu: /--type=gpu-process/ }[target]
  // Between two of them there is none.
  await driver.until(`a ${target} to kill`, () => Promise.resolve(processOf(driver.mainPid, kind) !== null))
  const pid = processOf(driver.mainPid, kind) ?? 0
  const children = descendantsOf(pid)
  process.kill(pid, 'SIGKILL')
  const ms = await driver.until('the window', () => answers(driver, target))
  await driver.until('no orphan', () => Promise.resolve(!children.some(isRunning)))
  return { driver, ms }
}

/** The whole program, as the system does when memory runs out; what it leaves is started again. */
async function killMain(driver: Driver, home: string): Promise<Restarted> {
  const children = descendantsOf(driver.mainPid)
  const ended = driver.lab.app.waitForEvent('close')
  process.kill(driver.mainPid, 'SIGKILL')
  await ended
  const began = performance.now()
  const next = await Driver.start(home)
  await next.until('the window', () => answers(next, 'main'))
  const ms = performance.now() - began
  if (ms > hangMs)
    throw new Error(`the restored window answered after ${Math.round(ms)} ms\n${traceOf(next.mainPid)}`)
  await next.until('no orphan', () => Promise.resolve(!children.some(isRunning)))
  return { driver: next, ms }
}

async function startedAgain(driver: Driver, home: string): Promise<Driver> {
  await driver.close()
  const next = await Driver.start(home)
  if (!(await next.click(`kept-${data}`))) await next.openFile(join(home, data))
  return next
}

/** The page draws, shows the file or takes one, and the engine process does what it is asked. */
async function answers(driver: Driver, target: Target): Promise<boolean> {
  const frame = await driver.script<boolean>(
    'new Promise((drawn) => requestAnimationFrame(() => drawn(true)))',
  )
  const shown =
    (await driver.text('dataset-name')) ?? (await driver.text('drop-zone')) ?? (await driver.text('loading'))
  if (frame !== true || typeof shown !== 'string') return false
  if (target === 'gpu') return drawsPixels(driver)
  const host = await driver.ask('app.host-state', {})
  return host?.state === 'ready' && (await driver.ask('bench.list', {})) !== undefined
}

async function drawsPixels(driver: Driver): Promise<boolean> {
  const picture = driver.lab.app.evaluate(async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0].webContents.capturePage()
    return image.isEmpty() ? 0 : new Set(image.toBitmap()).size
  })
  // A page of one colour is not drawn.
  return (await Promise.race([picture.catch(() => 0), delay(2000, 0)])) > 4
}

/** Ready for the next piece of work: a file is on screen, nothing is measured. */
async function untilIdle(driver: Driver): Promise<void> {
  await endComparison(driver)
  await driver.until('the file', async () => {
    const name = await driver.text('dataset-name')
    if (name?.includes(data)) return true
    await driver.click(`recent-${data}`)
    await delay(500)
    return false
  })
}
