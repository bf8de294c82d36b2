import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { chooseInDialog, chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
  await lab.at('init').selectOption('first-k')
  await lab.at('stop-rule').selectOption('labels')
  await run()
})
afterAll(() => lab.close())

async function run(): Promise<void> {
  await lab.at('run').click()
  await lab.page.locator('[data-testid=progress][data-state=done]').waitFor({ state: 'attached' })
}

const clipboard = () => lab.app.evaluate(({ clipboard: board }) => board.readText())
const shell = (text: string) => promisify(execFile)('sh', ['-c', text], { cwd: lab.folder })

describe('a cluster', () => {
  it('is renamed, and is called so everywhere', async () => {
    await lab.at('rename-0').click()
    await lab.at('cluster-name-field').fill('virginica')
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.at('cluster-table').textContent()).toContain('virginica')
    await lab.picture('cluster renamed')
  })

  it('is recoloured, and is so in the table and on the plot', async () => {
    const swatch = lab.at('cluster-table').locator('[data-cluster] svg.swatch').first()
    await lab.at('recolour-0').click()
    await lab.at('colour-field').fill('#ff00ff')
    await expect.poll(() => swatch.getAttribute('fill')).toBe('rgb(255 0 255)')
    expect(await violations(lab.page)).toEqual([])
    await lab.at('colour-reset').click()
    await expect.poll(() => swatch.getAttribute('fill')).not.toBe('rgb(255 0 255)')
    await lab.page.keyboard.press('Escape')
  })
})

describe('settings', () => {
  it('are taken back and brought again', async () => {
    await lab.at('k').fill('5')
    await chooseMenu(lab, 'undo')
    await expect.poll(() => lab.at('k').inputValue()).toBe('3')
    await chooseMenu(lab, 'redo')
    await expect.poll(() => lab.at('k').inputValue()).toBe('5')
    await chooseMenu(lab, 'undo')
  })

  it('are copied as a command line that repeats the run', async () => {
    await lab.at('copy-command-line').click()
    await expect.poll(clipboard).toMatch(/^centroid-lab cluster .*iris\.csv/)
    const text = (await clipboard()).replace(
      /^centroid-lab/,
      `'${process.execPath}' '${resolve('out/main/cli.js')}'`,
    )
    const { stdout } = await shell(`${text} --json`)
    const repeated = JSON.parse(stdout) as { inertia: number; sizes: number[]; iterations: number }
    expect(repeated.sizes).toEqual([39, 61, 50])
    expect(repeated.iterations).toBe(12)
    const title = await lab.at('result-inertia').getAttribute('title')
    expect(title).toContain(String(repeated.inertia))
  })
})

describe('the runs of the session', () => {
  it('are listed with their times, shown again, and compared', async () => {
    await lab.at('k').fill('4')
    await run()
    await expect.poll(() => lab.at('run-show').count()).toBe(2)
    await lab.at('run-compare').first().click()
    await lab.at('compare').waitFor()
    await expect.poll(() => lab.at('compare-measures').textContent()).toMatch(/djusted Rand/)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('two runs compared')
    await lab.page.keyboard.press('Escape')
    await lab.at('run-show').last().click()
    await expect.poll(() => lab.at('cluster-table').locator('[data-cluster]').count()).toBe(3)
    await expect.poll(() => lab.at('scatter').getAttribute('data-centroids')).toBe('3')
  })

  it('are written as one table of times', async () => {
    const path = join(lab.folder, 'timings.csv')
    await lab.saveAs(path)
    await lab.at('export-menu').click()
    await lab.at('export-timings').click()
    await lab.at('status-bar').filter({ hasText: 'timings.csv' }).waitFor()
    const [head, ...rows] = (await readFile(path, 'utf8')).trim().split('\n')
    expect(head).toMatch(/^dataset,n,d,k,engine,device,variant,regime,iterations,repeats,mean_ms/)
    expect(rows.map((row) => row.split(',')[3])).toEqual(['3', '4'])
  })
})

describe('the Steps view', () => {
  it('shows the first iterations side by side', async () => {
    await lab.at('view-steps').click()
    await expect.poll(() => lab.at('step-1').getAttribute('data-drawn')).toBe('true')
    await lab.at('step-count').fill('4')
    await expect.poll(() => lab.at('step-5').count()).toBe(0)
    await expect.poll(() => lab.at('step-4').getAttribute('data-drawn')).toBe('true')
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('steps')
  })

  it('writes the pairs, and opens the folder again', async () => {
    const folder = join(lab.folder, 'pairs')
    await mkdir(folder, { recursive: true })
    await chooseInDialog(lab, folder)
    await lab.at('export-steps').click()
    await lab
      .at('status-bar')
      .filter({ hasText: /Saved .*pairs/ })
      .waitFor()
    expect((await readdir(folder)).sort()).toEqual(
      [1, 2, 3, 4].flatMap((i) => [`step-${i}-centroids.csv`, `step-${i}-points.csv`]),
    )
    await lab.at('open-steps').click()
    await expect.poll(() => lab.at('steps-title').textContent()).toContain('pairs')
    await expect.poll(() => lab.at('step-4').getAttribute('data-drawn')).toBe('true')
    await lab.at('close-steps').click()
  })

  it('leads to an iteration of the time line', async () => {
    await lab.at('step-2').locator('button').click()
    await expect.poll(() => lab.at('time-says').textContent()).toBe('Iteration 2 of 12')
  })
})

describe('a plot', () => {
  it.each(['clusters', 'inertia'])('of %s is saved as SVG and PNG, and copied', async (name) => {
    for (const format of ['svg', 'png'] as const) {
      const path = join(lab.folder, `${name}.${format}`)
      await lab.saveAs(path)
      await lab.at(`plot-actions-${name}`).click()
      await lab.at(`plot-${name}-${format}`).click()
      await lab.at('save-plot-apply').click()
      await lab
        .at('status-bar')
        .filter({ hasText: `${name}.${format}` })
        .waitFor()
      const bytes = await readFile(path)
      if (format === 'png') expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      else expect(bytes.toString()).toMatch(/^<(\?xml|svg)[\s\S]*<\/svg>\s*$/)
    }
    await lab.at(`plot-actions-${name}`).click()
    await lab.at(`plot-${name}-copy`).click()
    const size = () => lab.app.evaluate(({ clipboard: board }) => board.readImage().getSize().width)
    await expect.poll(size).toBeGreaterThan(300)
  })
})
