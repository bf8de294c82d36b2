/**
 * Every view with four kinds of files, light and dark, in three sizes: what axe-core finds, whether anything is cut off, and, with
 * E2E_SCREENSHOTS, pictures for a person to look at.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { chooseInDialog, chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

const sizes = [
  [900, 600],
  [1280, 800],
  [1920, 1080],
] as const
const schemes = ['light', 'dark'] as const
const isLooked = process.env['E2E_SCREENSHOTS'] !== undefined

let lab: Lab

beforeAll(async () => {
  // As a person has it at a first start: nothing unfolded, live changes on.
  lab = await launch([], null, null)
})
afterAll(() => lab.close())

async function resize([width, height]: readonly [number, number]): Promise<void> {
  await lab.app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size[0], size[1]),
    [width, height] as const,
  )
  await expect.poll(() => lab.page.evaluate(() => innerWidth)).toBe(width)
}

/** Elements that scroll down inside another that does: the wheel would stop at the inner one. */
function scrollsInScrolls(): Promise<readonly string[]> {
  return lab.page.evaluate(() => {
    const scrolls = (element: Element) =>
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) &&
      element.scrollHeight > element.clientHeight + 1
    return [...document.querySelectorAll('*')].filter(scrolls).flatMap((inner) => {
      let outer = inner.parentElement
      while (outer && !scrolls(outer)) outer = outer.parentElement
      return outer ? [`.${inner.className} in .${outer.className}`] : []
    })
  })
}

/** What is wanted most and is not wholly within the window. */
function outOfSight(): Promise<readonly string[]> {
  return lab.page.evaluate(() =>
    ['k', 'scaling', 'run'].filter((id) => {
      const box = document.querySelector(`[data-testid=${id}]`)?.getBoundingClientRect()
      return box && box.width > 0 && (box.top < 0 || box.bottom > innerHeight || box.right > innerWidth)
    }),
  )
}

/** In both modes and every size; the pictures are named after the view, the mode and the width. */
async function look(name: string): Promise<void> {
  for (const size of sizes) {
    await resize(size)
    for (const colorScheme of schemes) {
      await lab.page.emulateMedia({ colorScheme })
      await lab.page.mouse.move(2, 2)
      if (isLooked) await lab.page.waitForTimeout(350)
      await lab.picture(`${name} ${size[0]} ${colorScheme}`)
      // Colours are those of every size.
      if (size[0] === 900 || (size[0] === 1280 && colorScheme === 'light'))
        expect.soft(await violations(lab.page), `${name} ${size[0]} ${colorScheme}`).toEqual([])
    }
    expect.soft(await scrollsInScrolls(), `${name} ${size[0]}`).toEqual([])
    expect.soft(await outOfSight(), `${name} ${size[0]}`).toEqual([])
  }
  await lab.page.emulateMedia({ colorScheme: null })
  await resize([1280, 800])
}

/** Thirty measured features in four groups, a class and a serial number. */
async function thirtyFeatures(): Promise<string> {
  let state = 7
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
  const normal = () => Math.sqrt(-2 * Math.log(next() + 1e-9)) * Math.cos(2 * Math.PI * next())
  const quantities = ['mean', 'error', 'worst'].flatMap((kind) =>
    [
      'radius',
      'texture',
      'perimeter',
      'area',
      'smoothness',
      'compactness',
      'concavity',
      'concave points',
      'symmetry',
      'fractal dimension',
    ].map((name) => `${kind} ${name}`),
  )
  const rows = Array.from({ length: 569 }, (_, row) => {
    const group = row % 4
    const cells = quantities.map((_name, j) => {
      const scale = 10 ** ((j % 10) - 4) * 8
      const value = scale * (3 + Math.sin(group * 2 + j) + 0.35 * normal())
      return row % 97 === 5 && j === 3 ? 'NA' : value.toPrecision(5)
    })
    return [row + 1000, ['benign', 'malignant', 'benign', 'unclear'][group], ...cells].join(',')
  })
  const path = join(lab.folder, 'thirty features.csv')
  await writeFile(path, [['id', 'diagnosis', ...quantities].join(','), ...rows, ''].join('\n'))
  return path
}

async function open(name: string): Promise<void> {
  await lab.drop(name === 'thirty' ? await thirtyFeatures() : resolve('examples', `${name}.csv`))
  await lab.at('dataset-name').filter({ hasText: name }).waitFor()
  await expect
    .poll(() => lab.at('scatter').getAttribute('data-points-drawn'), { timeout: 20_000 })
    .not.toBe('0')
}

async function cluster(k: number): Promise<void> {
  await lab.at('k').fill(String(k))
  await lab.at('run').click()
  await expect
    .poll(() => lab.at('scatter').getAttribute('data-centroids'), { timeout: 30_000 })
    .toBe(String(k))
  await expect.poll(() => lab.at('stale-mark').count()).toBe(0)
}

it('the first screen', () => look('start'))

it('a file that cannot be read', async () => {
  const path = join(lab.folder, 'words.csv')
  await writeFile(path, 'name,colour\nanna,red\nben,blue\ncem,green\n')
  await lab.drop(path)
  await lab.page.waitForTimeout(1500)
  await look('error no numbers')
  await lab.page.keyboard.press('Escape')
})

/** The narrowest table and the widest; those between are for the eye alone: they take as long, and no check of theirs has differed. */
const files = [
  ['iris', 3],
  ['thirty', 4],
  ...(isLooked
    ? ([
        ['wine', 3],
        ['digits', 10],
      ] as const)
    : []),
] as const

describe.each(files)('%s', (name, k) => {
  it('as it was opened', async () => {
    await chooseMenu(lab, 'view-clusters').catch(() => null)
    await open(name)
    await look(`${name} loaded`)
    if (name !== 'iris') return
    for (const view of ['profiles', 'choose-k', 'table', 'steps'] as const) {
      await lab.at(`view-${view}`).click()
      await look(`${name} empty ${view}`)
    }
    await lab.at('view-clusters').click()
  })

  it('its clusters', async () => {
    if (name === 'wine') await lab.at('scaling').selectOption('standardise')
    await cluster(k)
    await look(`${name} clusters`)
    await lab.at('view-steps').click()
    await lab.at('step-1').waitFor()
    await look(`${name} steps`)
  })

  it('which k', async () => {
    await lab.at('view-choose-k').click()
    await lab.at('scan-start').click()
    await lab.page.locator('[data-testid=choose-k-view][data-state=done]').waitFor({ timeout: 90_000 })
    await look(`${name} choose k`)
  })

  it('what the clusters are', async () => {
    await lab.at('view-profiles').click()
    await lab.at('profile-summary').click({ timeout: 30_000 })
    await lab.at('cluster-sentences').waitFor()
    for (const part of ['summary', 'statistics', 'plots', 'silhouettes', 'matrix', 'classes']) {
      await lab.at(`profile-${part}`).click()
      await lab.page.waitForTimeout(600)
      await look(`${name} profiles ${part}`)
    }
    await lab.at('profile-summary').click()
  })

  it('its rows', async () => {
    await lab.at('view-table').click()
    await lab.at('table-count').waitFor()
    await look(`${name} table`)
    await lab.at('table-filter').click()
    await look(`${name} table filter`)
    await lab.at('table-filter').click()
  })
})

it('a plot before it is saved', async () => {
  await lab.at('view-clusters').click()
  await lab.at('plot-actions-clusters').click()
  await lab.at('plot-clusters-svg').click()
  await lab.at('save-plot-apply').waitFor()
  await look('save plot')
  await lab.page.keyboard.press('Escape')
})

it('colours by a column, a filter and a selection', async () => {
  await open('iris')
  await cluster(3)
  await lab.at('colour-by').selectOption({ label: 'Colour: species' })
  await look('iris coloured by species')
  await lab.at('colour-by').selectOption({ label: 'Colour: cluster' })
})

it('rows of another file, a run made again, and two runs side by side', async () => {
  const [header = '', ...rows] = (await readFile(resolve('examples/iris.csv'), 'utf8')).trim().split('\n')
  const path = join(lab.folder, 'new flowers.csv')
  await writeFile(
    path,
    [header, ...rows.slice(0, 60), '9.5,12,4,14,unknown', ',5,3,6,unknown', ''].join('\n'),
  )
  await chooseInDialog(lab, path)
  await lab.at('run-menu').first().click()
  await look('run menu')
  await lab.at('run-assign').click()
  await lab.at('prediction-receipt').waitFor()
  await look('predict')
  await lab.at('prediction-close').click()
  await chooseMenu(lab, 'verify')
  await lab.at('verdict').filter({ hasText: 'Identical' }).waitFor()
  await look('verify')
  await lab.at('verify-close').click()
  await lab.at('run-compare').first().click()
  await lab.at('compare-measures').waitFor()
  await look('compare')
  await lab.page.keyboard.press('Escape')
})

it('every setting unfolded', async () => {
  const folds = await lab.page.locator('summary[data-testid^=fold-]').all()
  for (const fold of folds) await fold.click()
  await look('settings unfolded')
  for (const fold of folds) await fold.click()
})

it('dialogs', async () => {
  await chooseMenu(lab, 'import-settings')
  await lab.at('import-table').waitFor()
  await look('import')
  await lab.page.keyboard.press('Escape')
  await chooseMenu(lab, 'generate')
  await lab.page.getByRole('dialog').waitFor()
  await look('generate')
  await lab.page.keyboard.press('Escape')
  await chooseMenu(lab, 'about')
  await lab.page.getByRole('dialog').waitFor()
  await look('about')
  await lab.page.keyboard.press('Escape')
})

it('a comparison of execution times', async () => {
  await lab.at('view-benchmark').click()
  await lab.at('bench-matrix').waitFor()
  await look('benchmark plan')
  await lab.at('bench-k').fill('3, 20')
  await expect.poll(() => lab.at('bench-start').isEnabled(), { timeout: 80_000 }).toBe(true)
  await lab.at('bench-start').click()
  await expect.poll(() => lab.at('bench-bar').getAttribute('data-state'), { timeout: 100_000 }).toBe('done')
  await look('benchmark times')
})
