import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('wine.csv')
  await chooseMenu(lab, 'view-choose-k')
})
afterAll(() => lab.close())

const state = (name: string) =>
  lab.page.locator(`[data-testid=choose-k-view][data-state=${name}]`).waitFor({ timeout: 60_000 })

async function scan(): Promise<void> {
  await lab.at('scan-start').click()
  await state('running').catch(() => null)
  await state('done')
}

describe('choosing k', () => {
  it('says what a scan does before there is one, and what unscaled columns would do', async () => {
    await expect.poll(() => lab.at('scan-empty').textContent()).toContain('every k of a range')
    await expect.poll(() => lab.at('scan-scaling').textContent()).toContain('proline')
    expect(await violations(lab.page)).toEqual([])
    await lab.smallest(async () => {
      expect(await violations(lab.page)).toEqual([])
      await lab.picture('choose k, empty, small')
    })
  })

  it('shows indices of every k, and names what each rule says', async () => {
    await lab.at('scan-standardise').click()
    await expect.poll(() => lab.at('scaling').inputValue()).toBe('standardise')
    await lab.at('scan-k-max').fill('8')
    await lab.at('scan-index-gap').check()
    await scan()
    await expect.poll(() => lab.at('scan-table').locator('tbody tr').count()).toBe(7)
    // As scikit-learn 1.8 has them on the standardised file: the silhouette and Calinski-Harabasz at k = 3.
    const cells = await lab.at('scan-row-3').locator('td').allTextContents()
    expect(cells.map((cell) => cell.trim())).toEqual(expect.arrayContaining(['0.2849', '70.94', '1.389']))
    await expect
      .poll(() => lab.at('suggestion-Silhouette').textContent())
      .toContain('largest at k = 3 (0.2849)')
    for (const name of ['inertia', 'silhouette', 'calinski-harabasz', 'davies-bouldin', 'gap'])
      await lab.at(`card-scan-${name}`).waitFor()
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('choose k, done')
  })

  it('takes a k over in one click, its run already there', async () => {
    await lab.at('scan-use-3').click()
    await expect.poll(() => lab.at('k').inputValue()).toBe('3')
    await expect.poll(() => lab.at('scan-row-3').textContent()).toContain('in use')
    await expect.poll(() => lab.at('stale-mark').count()).toBe(0)
    await expect.poll(() => lab.at('run-show').count()).toBe(1)
    await lab.at('view-clusters').click()
    await expect.poll(() => lab.at('scatter').getAttribute('data-centroids')).toBe('3')
    await expect.poll(() => lab.at('scatter').getAttribute('data-coloured')).toBe('true')
    await lab.at('view-choose-k').click()
  })

  it('looks at one k in all curves: by a click, and by keys', async () => {
    const plot = lab.at('plot-scan-silhouette')
    await plot.focus()
    await lab.page.keyboard.press('End')
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.at('scan-row-8').getAttribute('class')).toContain('scan-chosen')
    const box = await plot.boundingBox()
    if (!box) throw new Error('the plot has no place')
    await plot.click({ position: { x: box.width / 2, y: box.height / 3 } })
    await expect.poll(() => lab.at('scan-row-8').getAttribute('class')).not.toContain('scan-chosen')
  })

  it('writes scan.csv, and its plots', async () => {
    const table = join(lab.folder, 'scan.csv')
    await lab.saveAs(table)
    await lab.at('export-scan').click()
    await lab.at('status-bar').filter({ hasText: 'scan.csv' }).waitFor()
    const [head, ...rows] = (await readFile(table, 'utf8')).trim().split('\n')
    expect(head).toBe(
      'k,restart,inertia,silhouette,calinski_harabasz,davies_bouldin,gap,gap_se,iterations,seconds',
    )
    expect(rows).toHaveLength(70)
    const plot = join(lab.folder, 'scan-inertia.svg')
    await lab.saveAs(plot)
    await lab.at('plot-actions-scan-inertia').click()
    await lab.at('plot-scan-inertia-svg').click()
    await lab.at('save-plot-apply').click()
    await lab.at('status-bar').filter({ hasText: 'scan-inertia.svg' }).waitFor()
    expect(await readFile(plot, 'utf8')).toContain('Inertia over k: wine.csv')
  })

  it('says when what is set is no longer what was scanned', async () => {
    await lab.at('scaling').selectOption('none')
    await expect.poll(() => lab.at('scan-stale').textContent()).toContain('scan again')
    expect(await violations(lab.page)).toEqual([])
  })
})

describe('a long scan', () => {
  it('tells how far it is, is cancelled from the status bar, and goes on where it was', async () => {
    await lab.openExample('digits.csv')
    await lab.at('view-choose-k').click()
    await lab.at('scan-empty').waitFor()
    await lab.at('scan-k-max').fill('40')
    await lab.at('scan-restarts').fill('20')
    await lab.at('scan-start').click()
    await lab.at('scan-row-3').waitFor({ timeout: 60_000 })
    await expect.poll(() => lab.at('status-bar').textContent()).toMatch(/Scanning k: \d+ of 39 k/)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('choose k, running')
    await lab.at('status-cancel-scan').click()
    await state('cancelled')
    const kept = await lab.at('scan-table').locator('tbody tr').count()
    expect(kept).toBeGreaterThanOrEqual(2)
    await lab.at('scan-resume').click()
    await expect
      .poll(() => lab.at('scan-table').locator('tbody tr').count(), { timeout: 60_000 })
      .toBeGreaterThan(kept)
    await lab.at('scan-cancel').click()
    await state('cancelled')
  })

  it('is gone with its file', async () => {
    await lab.openExample('iris.csv')
    await expect.poll(() => lab.at('scan-table').count()).toBe(0)
    await lab.at('scan-empty').waitFor()
  })
})
