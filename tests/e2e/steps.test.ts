import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab
beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

const drawn = () => lab.page.locator('[data-drawn=true]')

/** The next folder dialogs answer this path, and questions are answered by their first button. */
async function folderAs(path: string): Promise<void> {
  await lab.app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, path)
}

/** Colours of a panel's picture that are not clear, as the window shows them. */
function coloursOf(testId: string): Promise<number> {
  return lab.at(testId).evaluate((panel) => {
    const shown = panel.querySelector('canvas')
    if (!shown) return 0
    const copy = document.createElement('canvas')
    copy.width = shown.width
    copy.height = shown.height
    const context = copy.getContext('2d')
    context?.drawImage(shown, 0, 0)
    const pixels = new Uint32Array(context?.getImageData(0, 0, copy.width, copy.height).data.buffer ?? [])
    return new Set(pixels.filter((pixel) => pixel >>> 24 === 255)).size
  })
}

/** Width and height of a PNG file. */
async function sizeOfPng(path: string): Promise<readonly [number, number]> {
  const bytes = await readFile(path)
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

/** 16 cm wide, at 300 pixels an inch where there are pixels, both of the same proportions. */
function expectPaperSize(svg: string, [width, height]: readonly [number, number]): void {
  const said = /^<svg [^>]*width="([\d.]+)" height="([\d.]+)"/m.exec(svg)
  expect(Number(said?.[1])).toBeCloseTo((16 / 2.54) * 96, 1)
  expect(width).toBe(Math.round((16 / 2.54) * 300))
  expect(width / height).toBeCloseTo(Number(said?.[1]) / Number(said?.[2]), 2)
}

async function savePlot(name: string, format: 'png' | 'svg'): Promise<string> {
  const path = join(lab.folder, `${name}.${format}`)
  await lab.saveAs(path)
  await lab.at(`plot-actions-${name}`).click()
  await lab.at(`plot-${name}-${format}`).click()
  await lab.at('save-plot-apply').click()
  await lab
    .at('status-bar')
    .filter({ hasText: `Saved ${name}.${format}` })
    .waitFor()
  return path
}

describe('the first iterations side by side', () => {
  it('are drawn, saved and lead to the time line', async () => {
    await lab.openExample('iris.csv')
    await lab.at('k').fill('3')
    await lab.at('run').click()
    await lab.at('result-inertia').waitFor()
    await lab.at('view-steps').click()
    await expect.poll(() => drawn().count()).toBeGreaterThan(1)
    // Three clusters, the ground's ring and the outline at the least.
    expect(await coloursOf('step-1')).toBeGreaterThan(4)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('steps of a run')

    const svg = await readFile(await savePlot('steps', 'svg'), 'utf8')
    const panels = await lab.page.locator('[data-drawn]').count()
    expect(svg.match(/<clipPath /g)).toHaveLength(panels)
    expect(svg).toContain('Iteration 2')
    const [width, height] = await sizeOfPng(await savePlot('steps', 'png'))
    expectPaperSize(svg, [width, height])

    await lab.at('step-2').locator('button').click()
    await lab.at('clusters-view').waitFor()
    await expect.poll(() => lab.at('clusters-view').textContent()).toContain('Iteration 2 of')
  })

  it('are written as pairs of files, and the folder opens again, with no dataset too', async () => {
    // Not in the folder of the first window, which goes with it.
    const folder = await mkdtemp(join(tmpdir(), 'pairs-'))
    await folderAs(folder)
    await lab.at('view-steps').click()
    await lab.at('export-steps').click()
    await lab.at('status-bar').filter({ hasText: 'into pairs-' }).waitFor()

    await lab.close()
    lab = await launch()
    await lab.drop(folder)
    await lab.at('steps-axis-y').waitFor()
    await expect.poll(() => drawn().count()).toBeGreaterThan(1)
    await expect.poll(() => coloursOf('step-1')).toBeGreaterThan(4)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('steps of a folder')
    await lab.at('steps-axis-y').selectOption({ label: 'petal_width' })
    await expect.poll(() => lab.at('steps-title').textContent()).toContain('petal_width against')
    await lab.at('close-steps').click()
    await lab.at('drop-zone').waitFor()
    await rm(folder, { recursive: true })
  })
})

describe('the plots as files', () => {
  it('are the scatter plot and the history, as SVG that a browser reads and PNG, as wide as a page', async () => {
    await lab.openExample('iris.csv')
    await lab.at('view-clusters').click()
    await lab.at('run').click()
    await lab.at('result-inertia').waitFor()
    for (const name of ['clusters', 'inertia', 'shift', 'changed']) {
      const svg = await readFile(await savePlot(name, 'svg'), 'utf8')
      const root = await lab.page.evaluate(
        (text) => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement.tagName,
        svg,
      )
      expect(root).toBe('svg')
      const [width, height] = await sizeOfPng(await savePlot(name, 'png'))
      expectPaperSize(svg, [width, height])
    }
  })
})
