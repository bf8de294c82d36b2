import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, type Lab } from '../e2e/harness'

/** The pictures of the documentation, from the real window: `npm run docs:pictures`. */
const target = resolve('docs/images')
/** They travel with every clone. */
const maxBytes = 200 * 1024

let lab: Lab

beforeAll(async () => {
  await mkdir(target, { recursive: true })
  lab = await launch()
  await lab.page.emulateMedia({ colorScheme: 'light' })
  await lab.app.evaluate(({ BrowserWindow, nativeTheme }) => {
    nativeTheme.themeSource = 'light'
    BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800)
  })
})
afterAll(() => lab.close())

/** The whole window, or one part of it. */
async function take(name: string, part?: Locator): Promise<void> {
  const path = join(target, `${name}.png`)
  await lab.page.mouse.move(640, 798)
  await lab.page.waitForTimeout(400)
  await (part === undefined ? lab.page.screenshot({ path }) : part.screenshot({ path }))
  expect((await stat(path)).size).toBeLessThan(maxBytes)
}

async function run(k: number, others: Readonly<Record<string, string>> = {}): Promise<void> {
  await lab.at('k').fill(String(k))
  for (const [setting, value] of Object.entries(others)) await lab.at(setting).selectOption(value)
  const before = await lab.page.locator('[data-run]').count()
  await lab.at('run').click()
  await expect.poll(() => lab.page.locator('[data-run]').count(), { timeout: 20_000 }).toBe(before + 1)
  await expect.poll(() => lab.at('scatter').getAttribute('data-centroids')).toBe(String(k))
}

it('the first screen', () => take('start'))

it('a file, its clusters and two runs side by side', async () => {
  await lab.openExample('iris.csv')
  await expect.poll(() => lab.at('scatter').getAttribute('data-points-drawn')).toBe('150')
  await take('loaded')
  // The first run of a program takes longer than those after it.
  await run(2, { init: 'first-k', 'stop-rule': 'labels' })
  await run(3)
  await take('window')
  await run(4)
  await lab.page.locator('[data-run]').nth(1).getByTestId('run-show').click()
  await expect.poll(() => lab.at('scatter').getAttribute('data-centroids')).toBe('3')
  await lab.at('run-compare').first().click()
  await lab.at('compare-measures').waitFor()
  await take('compare', lab.page.getByRole('dialog'))
  await lab.page.keyboard.press('Escape')
})

// Before a k is taken over from a scan, which keeps no iterations.
it('the first iterations', async () => {
  // As the result on screen has it.
  await lab.at('k').fill('3')
  await lab.at('view-steps').click()
  await lab.at('step-1').waitFor()
  await take('steps')
  await lab.at('view-clusters').click()
})

it('choosing k, and what the clusters are', async () => {
  await lab.openExample('wine.csv')
  await lab.at('scaling').selectOption('standardise')
  await lab.at('view-choose-k').click()
  await lab.at('scan-start').click()
  await lab.at('scan-use-3').click({ timeout: 20_000 })
  await lab.at('choose-k-view').evaluate((view) => view.scrollTo(0, 0))
  await take('choose-k', lab.at('choose-k-view'))
  await lab.at('view-profiles').click()
  await lab.at('card-profile-heatmap').waitFor()
  await take('profiles', lab.at('profiles-view'))
  await lab.at('view-clusters').click()
})

it('how a file is read', async () => {
  await lab.at('import-details').locator('summary').click()
  await lab.at('import-settings').click()
  await lab.at('import-table').waitFor()
  await take('import', lab.page.getByRole('dialog'))
  await lab.page.keyboard.press('Escape')
})

it('a comparison of execution times', async () => {
  await lab.openExample('digits.csv')
  await lab.at('view-benchmark').click()
  await lab.at('bench-matrix').waitFor()
  await lab.at('bench-k').fill('10, 20')
  await expect
    .poll(() => lab.at('bench-plan-sentence').textContent(), { timeout: 80_000 })
    .toMatch(/\d+ rows?.*(about|not)/)
  await take('benchmark-plan')
  await lab.at('bench-start').click()
  await expect.poll(() => lab.at('bench-bar').getAttribute('data-state'), { timeout: 60_000 }).toBe('done')
  await take('benchmark-times')
})

it('principal components', async () => {
  await lab.at('view-clusters').click()
  await lab.openExample('wine.csv')
  await run(3, { scaling: 'standardise' })
  await lab.at('show-components').click()
  await expect
    .poll(() => lab.at('axis-x').locator('option:checked').textContent(), { timeout: 20_000 })
    .toContain('%')
  await take('components')
})
