import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
})
afterAll(() => lab.close())

const runs = () => lab.page.locator('[data-run]')
const clipboard = () => lab.app.evaluate(({ clipboard: board }) => board.readText())

async function run(k: number): Promise<void> {
  const before = await runs().count()
  await lab.at('k').fill(String(k))
  await lab.at('run').click()
  await expect.poll(() => runs().count(), { timeout: 20_000 }).toBe(before + 1)
}

/** The next folder dialogs answer a new folder of this name. */
async function saveInto(name: string): Promise<string> {
  const folder = join(lab.folder, name)
  await mkdir(folder)
  await lab.app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, folder)
  return folder
}

async function exportFrom(id: string): Promise<void> {
  await lab.at('export-menu').click()
  await lab.at(`export-${id}`).waitFor()
  expect(await violations(lab.page)).toEqual([])
  await lab.at(`export-${id}`).click()
}

const said = (text: RegExp) => lab.at('status-bar').filter({ hasText: text }).waitFor()

describe('results, in the window', () => {
  it('names and colours a cluster where it is listed', async () => {
    await run(3)
    await lab.page.locator('[data-cluster="0"]').dblclick()
    await lab.at('cluster-name-field').fill('setosa')
    await lab.page.keyboard.press('Enter')
    expect(await lab.page.locator('[data-cluster="0"]').textContent()).toContain('setosa')
    await lab.at('recolour-0').click()
    expect(await violations(lab.page)).toEqual([])
    await lab.at('colour-field').fill('#123456')
    await lab.page.keyboard.press('Escape')
    const fill = () => lab.page.locator('[data-cluster="0"] svg.swatch').getAttribute('fill')
    expect(await fill()).toBe('rgb(18 52 86)')
    await lab.at('recolour-0').click()
    await lab.at('colour-reset').click()
    await lab.page.keyboard.press('Escape')
    expect(await fill()).not.toBe('rgb(18 52 86)')
  })

  it('keeps the runs of the session, shows an earlier one and sets two side by side', async () => {
    await run(4)
    await runs().nth(1).getByTestId('run-show').click()
    expect(await lab.at('cluster-table').locator('[data-cluster]').count()).toBe(3)
    await lab.at('run-compare').click()
    await lab.at('compare-measures').waitFor()
    expect(await lab.at('compare-measures').textContent()).toMatch(/Adjusted Rand index0\.\d+/)
    expect(await lab.at('compare-pairs').locator('tbody tr').count()).toBe(3)
    expect(await lab.at('compare-pairs').textContent()).toContain('setosa')
    await lab.at('compare-copy').click()
    await expect.poll(clipboard).toMatch(/^measure\tvalue\nrows compared\t150\n/)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('compare')
    await lab.page.keyboard.press('Escape')
    expect(await lab.at('compare').count()).toBe(0)
  })

  it('saves step pairs, the times of the session, and everything at once', async () => {
    const steps = await saveInto('steps')
    await exportFrom('steps')
    await lab.at('steps-field').fill('2')
    expect(await violations(lab.page)).toEqual([])
    await lab.at('steps-save').click()
    await said(/Saved 4 files into steps/)
    expect(await readdir(steps)).toHaveLength(4)
    await lab.saveAs(join(lab.folder, 'timings.csv'))
    await exportFrom('timings')
    await said(/Saved timings\.csv/)
    const rows = (await readFile(join(lab.folder, 'timings.csv'), 'utf8')).trimEnd().split('\n')
    expect(rows.map((row) => row.split(',')[3])).toEqual(['k', '3', '4'])
    const all = await saveInto('all')
    await exportFrom('all')
    await said(/Saved \d+ files into all/)
    const names = await readdir(all)
    expect(names).toEqual(
      expect.arrayContaining(['labels.csv', 'run.json', 'timings.csv', 'clusters.svg', 'phases.png']),
    )
  })

  it('lets a run go, and keeps those of another file under its name', async () => {
    await runs().first().getByTestId('run-remove').click()
    expect(await runs().count()).toBe(1)
    await lab.openExample('wine.csv')
    await run(2)
    expect(await lab.at('run-dataset').allTextContents()).toEqual(['wine.csv1 run', 'iris.csv1 run'])
    expect(await runs().count()).toBe(2)
    await lab.at('theme').selectOption('dark')
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('runs-dark')
  })

  it('copies a command line that says what really ran', async () => {
    await lab.at('copy-command-line').click()
    await expect.poll(clipboard).toMatch(/^centroid-lab cluster \S*wine\.csv -k 2 .*--variant \S+/)
  })

  it('is walked by the keyboard through a hundred clusters: what has the focus is in sight', async () => {
    await run(100)
    const frame = lab.at('cluster-frame')
    const focused = lab.page.locator('tr[data-cluster]:focus')
    const cluster = async () => Number(await focused.getAttribute('data-cluster'))
    const page = Math.floor((await frame.evaluate((element) => element.clientHeight)) / 24) - 2
    const walked = [
      ['End', 99],
      ['ArrowDown', 99],
      ['ArrowUp', 98],
      ['PageUp', 98 - page],
      ['Home', 0],
      ['PageDown', page],
      ['ArrowDown', page + 1],
    ] as const
    await lab.page.locator('tr[data-cluster="0"]').focus()
    for (const [key, reached] of walked) {
      await lab.page.keyboard.press(key)
      await expect.poll(cluster).toBe(reached)
      const [row, head, all] = await Promise.all([
        focused.boundingBox(),
        frame.locator('thead').boundingBox(),
        frame.boundingBox(),
      ])
      if (!row || !head || !all) throw new Error(`${key} leads to nothing in sight`)
      expect(row.y).toBeGreaterThanOrEqual(head.y + head.height - 1)
      expect(row.y + row.height).toBeLessThanOrEqual(all.y + all.height + 1)
      expect(await frame.locator('tr[data-cluster]').count()).toBeLessThan(40)
    }
  })

  it('tells about itself', async () => {
    await lab.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('about')?.click())
    await lab.at('about-versions').waitFor()
    await lab.at('licence-search').fill('chart.js')
    expect(await lab.at('licences').locator('li').count()).toBe(1)
    await lab.page.locator('.licence').first().click()
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('about')
    await lab.at('about-close').click()
  })
})
