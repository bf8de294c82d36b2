import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { focusedNode, heard, hears, tabToName } from './accessibility'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await lab.page.keyboard.press(key)
}

/** To another view, from wherever the keys go to. */
async function goToView(name: RegExp): Promise<void> {
  await tabToName(lab, /./, 'tab')
  for (let step = 0; step < 6 && !name.test((await focusedNode(lab))?.name ?? ''); step++)
    await press('ArrowRight')
  expect((await focusedNode(lab))?.name).toMatch(name)
}

/** Text of the status bar and other live regions. */
const live = () => lab.page.locator('[role=status]').allTextContents()

/** Every plot that is drawn says what is to be seen, and has its numbers a key away. @returns how many there are */
async function everyPlotIsDescribed(): Promise<number> {
  const { summaries, described, toggles } = await lab.page.evaluate(() => {
    const textOf = (element: Element | null) => element?.textContent ?? ''
    const all = (selector: string) => [...document.querySelectorAll(selector)]
    return {
      summaries: all('[data-testid^="summary-"]').map(textOf),
      described: all('[aria-describedby]').map((element) =>
        textOf(document.getElementById(element.getAttribute('aria-describedby') ?? '')),
      ),
      toggles: all('[data-testid^="as-table-"]').length,
    }
  })
  for (const summary of summaries) {
    expect(summary.length).toBeGreaterThan(10)
    expect(described).toContain(summary)
  }
  expect(summaries.length).toBeGreaterThanOrEqual(toggles)
  return toggles
}

/** The plot gives way to its table by a key, and comes back by another. */
async function asTable(title: RegExp): Promise<readonly string[]> {
  await tabToName(lab, title, 'button')
  await press('Enter')
  await hears(lab, 'region', /^Table behind the plot/)
  await expect.poll(() => lab.page.locator('.plot-table tbody th[scope=row]').count()).toBeGreaterThan(0)
  expect((await focusedNode(lab))?.pressed).toBe('true')
  const cells = await lab.page.locator('.plot-table').first().locator('th, td').allTextContents()
  await press('Enter')
  await lab.page.locator('.plot-table').waitFor({ state: 'detached' })
  return cells.map((cell) => cell.trim())
}

describe('from a file to a saved result, by keys and ears alone', () => {
  it('opens a file, which is told when it is there', async () => {
    await lab.at('drop-zone').waitFor()
    await tabToName(lab, /iris\.csv/)
    await press('Enter')
    await expect
      .poll(live)
      .toEqual(expect.arrayContaining([expect.stringContaining('Loaded iris.csv: 150 rows')]))
  })

  it('changes k and runs; the end and the result are told', async () => {
    await tabToName(lab, /^Clusters \(k\)/)
    await press('Control+A')
    await lab.page.keyboard.type('4')
    await tabToName(lab, /^Run/, 'button')
    await press('Enter')
    await expect.poll(live).toEqual(expect.arrayContaining([expect.stringMatching(/^Done in/)]))
    const plot = await hears(
      lab,
      'application',
      /^Scatter plot of sepal_width against sepal_length, 150 rows/,
    )
    expect(plot.description).toMatch(/^Centroids: cluster 0 at [\d.]+, [\d.]+; .*cluster 3 at/)
    const inertia = await hears(lab, 'application', /^Inertia per iteration/)
    expect(inertia.description).toMatch(/^From [\d.]+ in the first iteration to [\d.]+ in iteration \d+\.$/)
    await expect.poll(everyPlotIsDescribed).toBeGreaterThanOrEqual(4)
  })

  it('reads the plots as tables', async () => {
    const clusters = await asTable(/^Show as table: sepal_width against sepal_length/)
    expect(clusters.slice(0, 7)).toEqual([
      'cluster',
      'rows',
      'share',
      'mean sepal_length',
      'sd sepal_length',
      'mean sepal_width',
      'sd sepal_width',
    ])
    const counts = [1, 2, 3, 4].map((row) => Number(clusters[row * 7 + 1]))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(150)
    const inertia = await asTable(/^Show as table: Inertia per iteration/)
    expect(inertia.slice(0, 3)).toEqual(['iteration', 'Inertia', '1'])
    expect(await violations(lab.page)).toEqual([])
  })

  it('chooses k by a scan, whose share and end are told, and takes it over', async () => {
    await goToView(/^Choose k/)
    await tabToName(lab, /^Scan/, 'button')
    await press('Enter')
    await lab.page.locator('[data-testid=choose-k-view][data-state=done]').waitFor({ timeout: 60_000 })
    await expect.poll(everyPlotIsDescribed).toBeGreaterThanOrEqual(3)
    const curve = await asTable(/^Show as table: .*[Ii]nertia/)
    expect(curve.slice(0, 2)).toEqual(['mark', 'values'])
    await tabToName(lab, /^Use k = 3|^Use 3|k = 3/, 'button')
    await press('Enter')
    await expect.poll(() => lab.at('k').inputValue()).toBe('3')
    expect(await violations(lab.page)).toEqual([])
  })

  it('reads the profile of the clusters', async () => {
    await goToView(/^Profiles/)
    await lab.page.locator('[data-testid=profiles-view]:not([data-result=""])').waitFor()
    await expect.poll(everyPlotIsDescribed).toBeGreaterThanOrEqual(1)
    const heatmap = await asTable(/^Show as table: /)
    expect(heatmap.length).toBeGreaterThan(4)
    expect(await violations(lab.page)).toEqual([])
  })

  it('saves the labels, which is told', async () => {
    const path = join(lab.folder, 'labels.csv')
    await lab.saveAs(path)
    await tabToName(lab, /^Export/, 'button')
    await press('Enter')
    for (let item = 0; item < 14 && !/^Labels|labels\.csv/.test((await focusedNode(lab))?.name ?? ''); item++)
      await press('ArrowDown')
    await press('Enter')
    await expect.poll(live).toEqual(expect.arrayContaining([expect.stringContaining('Saved labels.csv')]))
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(151)
  })

  it('verifies the run, and hears the verdict', async () => {
    await tabToName(lab, /^Verify$/, 'button')
    await press('Enter')
    await lab.at('verdict').waitFor()
    await expect.poll(live).toEqual(expect.arrayContaining([expect.stringContaining('Identical')]))
    await press('Escape')
    await lab.at('verify').waitFor({ state: 'detached' })
    const mark = (await heard(lab)).find(({ name }) => name.startsWith('Verified: identical'))
    expect(mark?.role).toBe('image')
  })
})

describe('the other plots', () => {
  it('steps and the scatter matrix are told, and have tables', async () => {
    // A run that was taken over from a scan kept no iterations.
    await tabToName(lab, /^Run/, 'button')
    await press('Enter')
    await expect.poll(live).toEqual(expect.arrayContaining([expect.stringMatching(/^Done in/)]))
    await goToView(/^Steps/)
    await lab.at('steps-grid').waitFor()
    expect((await asTable(/^Show as table: /)).slice(0, 2)).toEqual(['iteration', 'points'])
    await goToView(/^Profiles/)
    await lab.at('profile-matrix').focus()
    await press('Enter')
    const matrix = await hears(lab, 'group', /^Scatter matrix/)
    expect(matrix.description).toContain('sets clusters')
    await asTable(/^Show as table: Scatter matrix/)
  })

  it('are looked at as tables in every look', async () => {
    await goToView(/^Clusters/)
    await lab.at('as-table-clusters').click()
    await lab.at('as-table-inertia').click()
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
        await lab.picture(`tables ${scheme} ${width}`)
      }
    }
  })
})
