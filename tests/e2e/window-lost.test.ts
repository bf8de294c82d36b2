import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let home: string
let lab: Lab

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid window lost '))
  lab = await launch([], home)
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const rendererPid = () =>
  lab.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0)
const isAlive = (pid: number): boolean => {
  try {
    // One that nobody has waited for yet has ended all the same.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

it.skipIf(process.platform !== 'linux')(
  'a page that died three times is given up in a box that holds nothing, and costs no result',
  async () => {
    await lab.openExample('iris.csv')
    await lab.at('run').click()
    await expect.poll(() => lab.at('progress').getAttribute('data-state'), { timeout: 20_000 }).toBe('done')
    const inertia = await lab.at('result-inertia').textContent()
    let last = 0
    for (let death = 0; death < 3; death++) {
      await expect.poll(rendererPid, { timeout: 20_000 }).not.toBe(last)
      last = await rendererPid()
      expect(last).toBeGreaterThan(0)
      process.kill(last, 'SIGKILL')
      await new Promise((later) => setTimeout(later, 3000))
    }
    const main = lab.app.process().pid ?? 0
    process.kill(main, 'SIGTERM')
    await expect.poll(() => isAlive(main), { timeout: 1500 }).toBe(false)
    lab = await launch([], home)
    await lab.at('kept-iris.csv').click()
    await expect.poll(() => lab.at('result-inertia').textContent(), { timeout: 20_000 }).toBe(inertia)
  },
)
