import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

const maxStops = 120

const focused = () =>
  lab.page.evaluate(() => document.activeElement?.closest('[data-testid]')?.getAttribute('data-testid') ?? '')

/** Walks with the tab key until a control is reached, as a person without a mouse does. */
async function tabTo(testId: string): Promise<void> {
  for (let stop = 0; stop < maxStops; stop++) {
    if ((await focused()) === testId) return
    await lab.page.keyboard.press('Tab')
    const visible = await lab.page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return true
      return element.matches(':focus-visible') && element.getClientRects().length > 0
    })
    expect(visible, `the focus shows at ${await focused()}`).toBe(true)
  }
  throw new Error(`the tab key does not reach ${testId}`)
}

const press = (...keys: readonly string[]) =>
  keys.reduce((before, key) => before.then(() => lab.page.keyboard.press(key)), Promise.resolve())

describe('the whole flow with the keyboard alone', () => {
  it('opens a sample, sets k, runs and sees the clusters', async () => {
    await lab.at('drop-zone').waitFor()
    await tabTo('sample-iris.csv')
    await press('Enter')
    await lab.at('dataset-name').filter({ hasText: 'iris.csv' }).waitFor()
    await tabTo('k')
    await press('Control+A')
    await lab.page.keyboard.type('4')
    await press('Control+R')
    await lab.page.locator('[data-testid=progress][data-state=done]').waitFor({ state: 'attached' })
    expect(await lab.at('cluster-table').locator('[data-cluster]').count()).toBe(4)
  })

  it('steps through the iterations and looks at a row', async () => {
    await tabTo('time-slider')
    await press('Home', 'ArrowRight')
    await expect.poll(() => lab.at('time-says').textContent()).toMatch(/^Iteration 1 of/)
    await press('End')
    await lab.at('scatter').focus()
    await press('+', 'ArrowLeft', '0', 'Enter')
    await expect.poll(() => lab.at('selection-count').textContent()).toBe('1 row selected')
    expect(await violations(lab.page)).toEqual([])
    await press('Escape')
    await lab.at('history').waitFor()
  })

  it('exports the centroids', async () => {
    const path = join(lab.folder, 'centroids.csv')
    await lab.saveAs(path)
    await tabTo('export-menu')
    await press('Enter')
    await lab.at('export-centroids').waitFor()
    for (let item = 0; item < 12 && (await focused()) !== 'export-centroids'; item++) await press('ArrowDown')
    await press('Enter')
    await lab.at('status-bar').filter({ hasText: 'centroids.csv' }).waitFor()
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(5)
  })

  it('takes settings back and brings them again', async () => {
    await tabTo('k')
    await press('Control+A')
    await lab.page.keyboard.type('7')
    await tabTo('run')
    await press('Control+Z')
    await expect.poll(() => lab.at('k').inputValue()).toBe('4')
    await press('Control+Shift+Z')
    await expect.poll(() => lab.at('k').inputValue()).toBe('7')
  })
})

describe('a large text', () => {
  it('keeps every control in reach at 200 %', async () => {
    await lab.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2)
    })
    await expect.poll(() => lab.page.evaluate(() => innerWidth)).toBeLessThan(700)
    const beyond = await lab.page.evaluate(() =>
      [...document.querySelectorAll('button, input, select')]
        .filter((element) => element.getClientRects().length > 0)
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect()
          return (left < -1 || right > innerWidth + 1) && element.closest('table') === null
        })
        .map((element) => element.getAttribute('data-testid') ?? element.outerHTML.slice(0, 80)),
    )
    expect(beyond).toEqual([])
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('200 percent')
  })
})
