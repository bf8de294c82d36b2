import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

/** As after an installation: advanced settings folded, changes followed at once. */
let lab: Lab
beforeAll(async () => {
  lab = await launch([], null, null)
})
afterAll(() => lab.close())

const undo = () => lab.page.keyboard.press('Control+z')
/** Clusters of the newest run, which is the one on screen. */
const shownK = async () => Number(/k (\d+)/.exec((await lab.at('run-show').first().textContent()) ?? '')?.[1])

/** A table of thirty features, one of which decides by its range. */
async function thirtyFeatures(): Promise<string> {
  const names = ['income', ...Array.from({ length: 29 }, (_, i) => `answer_${i + 2}`)]
  const rows = Array.from({ length: 200 }, (_, row) =>
    names.map((_name, j) => (j === 0 ? 20_000 + 97 * ((row * 37) % 400) : ((row * (j + 3)) % 37) / 4)),
  )
  const path = join(lab.folder, 'answers of 2026.csv')
  await writeFile(path, [names, ...rows].map((cells) => cells.join(',')).join('\n'))
  return path
}

/** Elements that scroll inside another one that scrolls. */
const nestedScrollers = () =>
  lab.page.evaluate(() => {
    const scrolls = (element: Element) =>
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) &&
      element.scrollHeight > element.clientHeight + 1
    const scrollers = [...document.querySelectorAll('.panel *')].filter(scrolls)
    const isInside = (element: Element) =>
      scrollers.some((other) => other !== element && other.contains(element))
    return scrollers.filter(isInside).map((element) => element.className)
  })

describe('the window of a person with a table', () => {
  it('says what it is for', async () => {
    expect(await lab.at('start-what').textContent()).toContain('finds groups of similar rows in a table')
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('start')
  })

  it('has k, scaling and Run in sight whatever the number of features, and nothing scrolls in a scroller', async () => {
    await lab.drop(await thirtyFeatures())
    await lab.at('dataset-name').waitFor()
    await lab.at('run').click()
    await lab.at('result-inertia').waitFor()
    const height = await lab.page.evaluate(() => innerHeight)
    for (const id of ['k', 'k-slider', 'scaling', 'run']) {
      const box = await lab.at(id).boundingBox()
      expect(box && box.y >= 0 && box.y + box.height <= height, id).toBe(true)
    }
    expect(await lab.at('feature-count').textContent()).toBe('30 of 30')
    expect(await nestedScrollers()).toEqual([])
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('thirty features')
    await lab.smallest(async () => {
      expect(await nestedScrollers()).toEqual([])
      await lab.picture('thirty features, 900 x 600')
    })
  })

  it('names the feature that decides by its range, and scales at a click', async () => {
    expect(await lab.at('preparation').textContent()).toContain('income dominates the distance')
    await lab.at('standardise').click()
    expect(await lab.at('scaling').inputValue()).toBe('standardise')
    await expect.poll(() => lab.at('standardise').count()).toBe(0)
  })

  it('turns the table of clusters round where there are more features', async () => {
    expect(await lab.at('cluster-table').getAttribute('aria-rowcount')).toBe(String(30 + 4))
    await lab.at('turn-table').click()
    expect(await lab.at('cluster-table').getAttribute('aria-rowcount')).toBe('4')
    await lab.at('turn-table').click()
  })
})

describe('a changed setting', () => {
  it('clusters again at once, with one result and one step of undo a gesture', async () => {
    await lab.openExample('iris.csv')
    await lab.at('run').click()
    await lab.at('result-inertia').waitFor()
    await expect.poll(() => lab.at('live-says').textContent()).toContain('then 10 when at rest')
    const runs = await lab.at('run-show').count()
    const slider = await lab.at('k-slider').boundingBox()
    if (!slider) throw new Error('no slider')
    const [y, from] = [slider.y + slider.height / 2, slider.x + slider.width * 0.06]
    await lab.page.mouse.move(from, y)
    await lab.page.mouse.down()
    for (let step = 1; step <= 8; step++) {
      await lab.page.mouse.move(from + step * 0.04 * slider.width, y)
      await lab.page.waitForTimeout(120)
    }
    await lab.page.mouse.up()
    const k = Number(await lab.at('k').inputValue())
    expect(k).toBeGreaterThan(5)
    await expect.poll(shownK, { timeout: 20_000 }).toBe(k)
    await lab.at('status-bar').filter({ hasText: 'Live: best of 10 restarts' }).waitFor()
    expect(await lab.at('run-show').count()).toBe(runs + 1)
    expect(await lab.at('stale-mark').count()).toBe(0)
    await lab.picture('live')
    await lab.page.locator('.plot-title').first().click()
    await undo()
    expect(await lab.at('k').inputValue()).toBe('3')
    await expect.poll(shownK, { timeout: 20_000 }).toBe(3)
  })

  it('follows features and rows too, and only while Live is on', async () => {
    const features = () => lab.at('result-features').textContent()
    await lab.at('fold-facts').click()
    await lab.at('feature-sepal_width').uncheck()
    await expect.poll(features, { timeout: 20_000 }).toBe('sepal_length, petal_length, petal_width')
    await lab.at('live').uncheck()
    await lab.at('feature-sepal_width').check()
    await lab.at('stale-mark').waitFor()
    await lab.at('live').check()
    expect(await violations(lab.page)).toEqual([])
  })
})

describe('panels, dialogs and files', () => {
  it('a collapsed panel comes back by dragging its handle', async () => {
    const handle = lab.at('separator-left')
    await handle.dblclick()
    const panel = lab.page.getByRole('complementary', { name: 'Data and settings' })
    await expect.poll(async () => (await panel.boundingBox())?.width ?? 0).toBeLessThan(2)
    const box = await handle.boundingBox()
    if (!box) throw new Error('no handle')
    await lab.picture('collapsed')
    await lab.page.mouse.move(box.x + box.width / 2, box.y + 200)
    await lab.page.mouse.down()
    await lab.page.mouse.move(box.x + 300, box.y + 200, { steps: 6 })
    await lab.page.mouse.up()
    await expect.poll(async () => (await panel.boundingBox())?.width ?? 0).toBeGreaterThan(230)
  })

  it('a start from a file asks which at once, and without an answer is as before', async () => {
    await lab.app.evaluate(({ dialog }) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] })
    })
    await lab.at('fold-start').click()
    await lab.at('init').selectOption('file')
    await expect.poll(() => lab.at('init').inputValue()).toBe('k-means++')
    await writeFile(join(lab.folder, 'start.csv'), 'a\n1\n')
    await lab.app.evaluate(
      ({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
      },
      join(lab.folder, 'start.csv'),
    )
    await lab.at('init').selectOption('file')
    await expect.poll(() => lab.at('centroids').textContent()).toContain('start.csv')
    await lab.at('init').selectOption('k-means++')
  })

  it('writes the names of clusters, into a file called after the table', async () => {
    await lab.at('rename-0').click()
    await lab.at('cluster-name-field').fill('large flowers')
    await lab.page.keyboard.press('Enter')
    const target = join(lab.folder, 'named labels.csv')
    await lab.app.evaluate(({ dialog }, filePath) => {
      const proposed = globalThis as { proposed?: string | undefined }
      dialog.showSaveDialog = (_window: unknown, options?: Electron.SaveDialogOptions) => {
        proposed.proposed = options?.defaultPath
        return Promise.resolve({ canceled: false, filePath })
      }
    }, target)
    await lab.at('export-menu').click()
    await lab.at('export-labels').click()
    await lab.at('status-bar').filter({ hasText: 'named labels.csv' }).waitFor()
    const proposed = await lab.app.evaluate(() => (globalThis as { proposed?: string }).proposed)
    expect(proposed).toBe('iris-labels.csv')
    const [header, ...rows] = (await readFile(target, 'utf8')).trimEnd().split('\n')
    expect(header?.endsWith('species,cluster,distance,cluster_name')).toBe(true)
    const named = rows.filter((row) => row.endsWith(',large flowers'))
    expect(named.length).toBeGreaterThan(10)
    expect(named.every((row) => row.split(',')[5] === '0')).toBe(true)
  })
})
