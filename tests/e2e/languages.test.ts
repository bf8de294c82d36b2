/** The language is switched in the running window: menu, panels, numbers and dates of it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Language } from '@shared/locale/languages'
import { chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

let lab: Lab
beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

const speak = (language: Language) =>
  lab.app.evaluate(
    ({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.click(),
    `language-${language}`,
  )
const menu = () =>
  lab.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? [])
const inertia = () => lab.at('result-inertia').textContent()

const sizes = [
  [900, 600],
  [1280, 800],
] as const
const views = ['clusters', 'profiles', 'choose-k', 'table', 'steps', 'benchmark'] as const

/** Every view in every language, looked at by somebody for cut words: only when pictures are wanted. */
async function pictures(language: Language): Promise<void> {
  if (!process.env['E2E_SCREENSHOTS']) return
  for (const [width, height] of sizes) {
    await lab.app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size[0], size[1]),
      [width, height] as const,
    )
    for (const view of views) {
      await lab.at(`view-${view}`).click()
      await lab.page.waitForTimeout(600)
      await lab.picture(`${language}-${view}-${width}`)
    }
    await lab.at('view-clusters').click()
  }
}

/** Words that once stood in English among Italian ones: in the rules of a scan, the choices of an import, the facts of a run. */
async function noEnglish(): Promise<void> {
  const words =
    /\b(largest|smallest|knee|numeric|categorical|identifier|none|next best|comma|points|installed|memory)\b/
  const found = async () =>
    (await lab.page.locator('body').innerText()).split('\n').filter((line) => words.test(line))
  await lab.at('view-choose-k').click()
  await lab.at('scan-start').click()
  await lab.page.getByText('massimo con k').first().waitFor()
  expect(await found()).toEqual([])
  await chooseMenu(lab, 'import-settings')
  await lab.at('import-type-0').waitFor()
  expect(await found()).toEqual([])
  await lab.at('import-cancel').click()
  await lab.at('view-clusters').click()
}

it('switches without a restart', async () => {
  await lab.picture('en-start')
  await speak('pl')
  await expect.poll(() => lab.at('drop-zone').textContent()).toContain('Upuść tabelę tutaj')
  await lab.picture('pl-start')
  await speak('it')
  await expect.poll(() => lab.at('drop-zone').textContent()).toContain('Rilascia qui una tabella')
  await lab.picture('it-start')
  await lab.openExample('iris.csv')
  await lab.at('run').click()
  await expect.poll(() => lab.at('run').textContent(), { timeout: 30_000 }).toContain('Esegui')
  expect(await menu()).toContain('&Modifica')
  await pictures('it')
  await noEnglish()
  await speak('pl')
  await expect.poll(() => lab.at('run').textContent()).toContain('Uruchom')
  expect(await menu()).toContain('&Edycja')
  await expect.poll(inertia).toMatch(/^\d+,\d+$/)
  await pictures('pl')
  await speak('en')
  await expect.poll(() => lab.at('run').textContent()).toContain('Run')
  expect(await menu()).toContain('&Edit')
  await expect.poll(inertia).toMatch(/^\d+\.\d+$/)
  expect(await lab.page.evaluate(() => document.documentElement.lang)).toBe('en')
  await pictures('en')
})
