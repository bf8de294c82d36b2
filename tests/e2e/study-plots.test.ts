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

/** A software WebGPU compiles its kernels and then takes a while for each run. */
const ended = { timeout: 120_000, interval: 100 } as const
const plot = () => lab.at('plot-transfers')

/** Figure 7 with a thousandth of the points, its two systems on WebGPU, two of its twelve data. */
async function setUpFigure7(): Promise<void> {
  await lab.at('open-benchmark').click()
  await lab.at('bench-preset').selectOption('dhanasekaran-rubin-figure-7')
  await lab.at('bench-scale').selectOption('0.001')
  await lab.at('bench-matrix').waitFor()
  await lab.at('bench-pick-none').click()
  for (const variant of ['irregular-reduction', 'hybrid-parallel'])
    await lab.at(`bench-tick-webgpu/${variant}`).check()
  const cases = lab.page.locator('[data-testid^="bench-case-"]')
  for (let at = 2; at < (await cases.count()); at++) await cases.nth(at).uncheck()
  await lab.at('bench-limit').fill('5')
  await lab.at('bench-repeats').fill('1')
  await lab.at('bench-warmup').fill('0')
}

describe('figure 7 of a study, made small', () => {
  it('is run on WebGPU in the place of CUDA', async () => {
    await setUpFigure7()
    await expect.poll(() => lab.at('bench-plan-sentence').textContent(), ended).toContain('12 rows')
    await lab.at('bench-start').click()
    await expect.poll(() => lab.at('bench-bar').getAttribute('data-state'), ended).toBe('done')
  })

  it('has its ratios in a plot over the words transferred, both marks of each in words', async () => {
    await lab.at('bench-tab-transfers').click()
    await plot().waitFor()
    const described = await plot().getAttribute('aria-describedby')
    const said = (await lab.page.locator(`[id="${described}"]`).textContent()) ?? ''
    expect(said).toContain('irregular-reduction over hybrid-parallel on webgpu:0, stands in for CUDA')
    for (const published of ['2.6 to 3.5, mean 3.2', '1.2 to 1.9, mean 1.7', '0.9 to 1.1, mean 1'])
      expect(said).toContain(`(published ${published})`)
    const key = await lab.page.locator('.bench-plot-key li').allTextContents()
    expect(key.map((text) => text.trim())).toEqual(['k = 10', 'k = 100', 'k = 400', 'published'])
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('study transfers')
  })

  it('tells the same numbers as its table', async () => {
    await plot().focus()
    await lab.page.keyboard.press('End')
    const tip = lab.page.locator('.bench-plot-frame [aria-live]')
    const words = /largest over its data, measured ([\d.]+)×, published ([\d.]+)×/
    await expect.poll(() => tip.textContent()).toMatch(words)
    const [, measured, published] = words.exec((await tip.textContent()) ?? '') ?? []
    await lab.at('bench-tab-table').click()
    const last = lab.at('bench-publication-Ratios').locator('tbody tr').last()
    const cells = (await last.locator('td').allTextContents()).map((text) => text.trim())
    expect(cells.slice(5)).toContain(measured)
    expect(cells.slice(5)).toContain(published)
  })

  it('is saved with its plot and its published marks', async () => {
    await lab.at('bench-tab-transfers').click()
    const path = join(lab.folder, 'transfers.svg')
    await lab.saveAs(path)
    await lab.at('plot-actions-transfers').click()
    await lab.at('plot-transfers-svg').click()
    await lab.at('save-plot-apply').click()
    await lab.at('status-bar').filter({ hasText: 'transfers.svg' }).waitFor()
    const svg = await readFile(path, 'utf8')
    for (const words of [
      'Speed-up against words transferred: GPU only over hybrid',
      '>published<',
      '>k = 400<',
    ])
      expect(svg).toContain(words)
  })

  it('lies whole in the smallest window', async () => {
    await lab.smallest(async () => {
      const widths = await plot().evaluate((canvas) => {
        const body = canvas.closest('.bench-body')
        return [canvas.getBoundingClientRect().right, body?.clientWidth ?? 0]
      })
      expect(widths[0]).toBeLessThanOrEqual(widths[1])
      await lab.picture('study transfers smallest')
    })
  })
})
