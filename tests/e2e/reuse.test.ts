import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { chooseInDialog, chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
  await lab.at('run').click()
  await lab.page.locator('[data-testid=progress][data-state=done]').waitFor({ state: 'attached' })
})
afterAll(() => lab.close())

const at = (name: string): string => join(lab.folder, name)
const iris = resolve('examples/iris.csv')

/** Rows of iris, some of them far off, one with a missing cell; columns in another order. */
async function otherFlowers(): Promise<string> {
  const [header = '', ...rows] = (await readFile(iris, 'utf8')).trim().split('\n')
  const turned = (line: string) => line.split(',').toReversed().join(',')
  const far = 'unknown,9.5,12,4,14'
  const lines = [turned(header), ...rows.slice(0, 60).map(turned), far, far, 'unknown,,5,3,6']
  await writeFile(at('new flowers.csv'), `${lines.join('\n')}\n`)
  return at('new flowers.csv')
}

const clipboard = () => lab.app.evaluate(({ clipboard: board }) => board.readText())

async function inEveryLook(name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await lab.page.emulateMedia({ colorScheme: scheme })
    expect(await violations(lab.page)).toEqual([])
    for (const [width, height] of [
      [900, 600],
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await lab.app.evaluate(
        ({ BrowserWindow }, size) => {
          BrowserWindow.getAllWindows()[0]?.setContentSize(size[0], size[1])
        },
        [width, height] as const,
      )
      await expect.poll(() => lab.page.evaluate(() => innerWidth)).toBe(width)
      await lab.picture(`${name} ${scheme} ${width}`)
    }
  }
  await lab.page.emulateMedia({ colorScheme: null })
}

describe('rows of another file', () => {
  it('are assigned to the clusters of a run from its menu, and what they differ in is told', async () => {
    await chooseInDialog(lab, await otherFlowers())
    await lab.at('run-menu').click()
    await lab.at('run-assign').click()
    await lab.at('prediction-receipt').waitFor()
    expect(await lab.at('prediction-receipt').textContent()).toBe(
      '62 rows assigned; 1 row left out for missing values (petal_width: 1).',
    )
    expect(await lab.at('prediction-says').textContent()).toMatch(
      /mean square distance to the centroid.*times that of the run/,
    )
    expect(await lab.at('prediction-ranges').locator('tbody tr').count()).toBe(3)
    expect(await lab.at('prediction-clusters').locator('.pair-row').count()).toBe(3)
    await inEveryLook('prediction')
  })

  it('are saved with labels and distances', async () => {
    await lab.saveAs(at('assignments.csv'))
    await lab.at('prediction-save').click()
    await lab.page.locator('.prediction-saved', { hasText: 'Saved assignments.csv' }).waitFor()
    const lines = (await readFile(at('assignments.csv'), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(64)
    expect(lines[0]).toBe('species,petal_width,petal_length,sepal_width,sepal_length,cluster,distance')
    await lab.at('prediction-close').click()
    await lab.at('prediction').waitFor({ state: 'detached' })
  })

  it('are assigned when a file is dropped on a run, also after another file was opened', async () => {
    await lab.openExample('wine.csv')
    await lab.drop(await otherFlowers(), lab.page.locator('[data-drop-run]').first())
    await lab.at('prediction-receipt').waitFor()
    expect(await lab.at('dataset-name').textContent()).toContain('wine.csv')
    await lab.page.keyboard.press('Escape')
    await lab.at('prediction').waitFor({ state: 'detached' })
  })

  it('say what column is missing', async () => {
    await lab.drop(resolve('examples/wine.csv'), lab.page.locator('[data-drop-run]').first())
    await lab
      .at('prediction')
      .getByTestId('error-message')
      .filter({ hasText: "rename or add 'sepal_length', 'sepal_width'" })
      .waitFor()
    await lab.page.keyboard.press('Escape')
    await lab.at('prediction').waitFor({ state: 'detached' })
  })
})

describe('a run that is verified', () => {
  it('is made again though its file is no longer open, and keeps a mark with the hash', async () => {
    await lab.at('run-menu').first().click()
    await lab.at('run-verify').click()
    await lab.at('verdict').filter({ hasText: 'Identical' }).waitFor()
    await inEveryLook('verified')
    await lab.at('verify-close').click()
    await lab.at('verified-mark').first().waitFor()
  })

  it('stands in the facts of the run, whose hash is copied in full', async () => {
    await lab.at('run').click()
    await lab.page.locator('[data-testid=progress][data-state=done]').waitFor({ state: 'attached' })
    await chooseMenu(lab, 'verify')
    await lab.at('verdict').filter({ hasText: 'Identical' }).waitFor()
    await lab.at('verify-close').click()
    await lab.at('result-verified').filter({ hasText: 'identical' }).waitFor()
    await lab.at('run-facts').getByTestId('copy-hash').click()
    await expect.poll(clipboard).toMatch(/^[0-9a-f]{64}$/)
    await lab.at('verified-mark').first().scrollIntoViewIfNeeded()
    await inEveryLook('marked')
  })

  it('is read from a run.json that is dropped, whose data lie elsewhere under another name', async () => {
    await lab.saveAs(at('run.json'))
    await lab.at('export-menu').click()
    await lab.at('export-run').click()
    await lab.at('status-bar').filter({ hasText: 'Saved run.json' }).waitFor()
    await copyFile(resolve('examples/wine.csv'), at('renamed.csv'))
    await lab.drop(at('run.json'))
    await lab.at('verify-facts').filter({ hasText: 'wine.csv' }).waitFor()
    await lab.picture('run.json')
    await lab.at('verify-begin').click()
    await lab.at('verdict').filter({ hasText: 'Identical' }).waitFor()
    expect(await lab.at('verify').textContent()).toContain('renamed.csv')
    await lab.page.keyboard.press('Escape')
    await lab.at('verify').waitFor({ state: 'detached' })
  })
})

it('a run is copied as code for scikit-learn', async () => {
  await chooseMenu(lab, 'copy-python')
  await lab.at('status-bar').filter({ hasText: 'as Python' }).waitFor()
  expect(await clipboard()).toContain('model = KMeans(n_clusters=3, init=START')
})
