import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { launch, type Lab } from './harness'

let home: string
let lab: Lab

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid given up '))
  lab = await launch([], home)
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

/** Ends the engine process wherever it is in its start; between two starts there is none. */
function killHost(): void {
  try {
    process.kill(lab.hostPid(), 'SIGKILL')
  } catch {
    // It is gone, and its successor has not begun.
  }
}

it('nothing is claimed of data where none was loaded', async () => {
  // The window can be there before its engine process is.
  await vi.waitFor(() => process.kill(lab.hostPid(), 'SIGKILL'), { timeout: 10_000 })
  await lab.at('banner').filter({ hasText: 'ended unexpectedly' }).waitFor()
  await lab.picture('engine lost, nothing loaded')
  expect(await lab.at('banner').textContent()).not.toMatch(/result|run once more/)
  await lab.at('banner').filter({ hasText: 'The engine process was restarted.' }).waitFor()
})

it('an engine process that dies again and again is given up, starts when asked, and costs no result', async () => {
  await lab.openExample('iris.csv')
  await lab.at('run').click()
  await expect.poll(() => lab.at('progress').getAttribute('data-state'), { timeout: 20_000 }).toBe('done')
  const inertia = await lab.at('result-inertia').textContent()
  const givenUp = lab.at('engine-notice').filter({ hasText: 'finished results are kept' })
  const isGivenUp = async () => {
    killHost()
    return (await givenUp.count()) > 0
  }
  await expect.poll(isGivenUp, { timeout: 30_000, interval: 200 }).toBe(true)
  await lab.picture('engine given up')
  expect(await lab.page.locator('.notice').count()).toBe(1)
  await lab.at('start-engine').click()
  await lab.at('banner').filter({ hasText: 'the data loaded again; what is on screen was kept' }).waitFor()
  expect(await lab.page.locator('.notice').count()).toBe(1)
  await lab.picture('engine started again')
  expect(await lab.at('result-inertia').textContent()).toBe(inertia)
  await lab.at('run').click()
  await expect.poll(() => lab.at('progress').getAttribute('data-state'), { timeout: 20_000 }).toBe('done')
  await lab.end()
  lab = await launch([], home)
  await lab.at('kept-iris.csv').click()
  await expect.poll(() => lab.at('result-inertia').textContent(), { timeout: 20_000 }).toBe(inertia)
})
