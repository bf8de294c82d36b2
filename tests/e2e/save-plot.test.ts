import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
  await lab.at('run').click()
  await lab.at('result-inertia').waitFor()
})
afterAll(() => lab.close())

async function openDialog(format: 'png' | 'svg'): Promise<void> {
  await lab.at('plot-actions-clusters').click()
  await lab.at(`plot-clusters-${format}`).click()
  await lab.at('plot-preview').waitFor()
}

async function saved(name: string): Promise<Buffer> {
  const path = join(lab.folder, name)
  await lab.saveAs(path)
  await lab.at('save-plot-apply').click()
  await lab.at('status-bar').filter({ hasText: name }).waitFor()
  return readFile(path)
}

describe('a plot for a paper', () => {
  it('is a PNG of the size and resolution that are chosen, seen before it is saved', async () => {
    await openDialog('png')
    await lab.at('plot-width').fill('8.5')
    await lab.at('plot-height').fill('6')
    await lab.at('plot-dpi').fill('600')
    await expect.poll(() => lab.at('plot-pixels').textContent()).toBe('2\u202f008 × 1\u202f417 pixels')
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('save plot')
    const png = await saved('paper.png')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2008, 1417])
    expect(png.subarray(37, 41).toString('latin1')).toBe('pHYs')
    expect(png.readUInt32BE(41)).toBe(Math.round(600 / 0.0254))
  })

  it('remembers what was chosen, says what cannot be drawn, and has a legend with names', async () => {
    await openDialog('svg')
    expect(await lab.at('plot-width').inputValue()).toBe('8.5')
    await lab.at('plot-font').fill('30')
    await expect.poll(() => lab.at('plot-problem').textContent()).toContain('no room')
    expect(await lab.at('save-plot-apply').isDisabled()).toBe(true)
    await lab.at('plot-font').fill('7')
    await lab.at('plot-colours').selectOption('dark')
    const dark = (await saved('paper.svg')).toString()
    expect(dark).toContain('fill="#17191c"')
    const key = (text: string) => [...text.matchAll(/<text x="[\d.]+" y="[\d.]+" font-size="11"/g)].length
    await openDialog('svg')
    await lab.at('plot-colours').selectOption('light')
    await lab.at('plot-legend').uncheck()
    await lab.at('plot-title').uncheck()
    const plain = (await saved('plain.svg')).toString()
    expect(plain).toContain('fill="#ffffff"')
    expect(key(dark)).toBeGreaterThan(key(plain))
    const titled = (svg: string) => /<text[^>]*>[^<]*coloured/.test(svg)
    expect([titled(dark), titled(plain)]).toEqual([true, false])
  })

  it('fits into the smallest window', async () => {
    await lab.smallest(async () => {
      await openDialog('png')
      const bottom = await lab
        .at('save-plot-apply')
        .evaluate((button) => button.getBoundingClientRect().bottom)
      expect(bottom).toBeLessThanOrEqual(await lab.page.evaluate(() => innerHeight))
      await lab.picture('save plot smallest')
      await lab.page.keyboard.press('Escape')
    })
  })
})
