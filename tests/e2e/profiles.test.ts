import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
  await chooseMenu(lab, 'view-profiles')
  await lab.at('profiles-empty').waitFor()
  // The best of ten restarts.
  await lab.at('view-choose-k').click()
  await lab.at('scan-k-max').fill('4')
  await lab.at('scan-start').click()
  await lab.at('scan-use-3').click({ timeout: 60_000 })
  await lab.at('view-profiles').click()
  await lab.at('cluster-sentences').waitFor()
})
afterAll(() => lab.close())

/** In the usual window and in the smallest one. */
async function accessible(name: string): Promise<void> {
  // What a pointer over the result panel brings up belongs to that panel's own test.
  await lab.page.mouse.move(2, 2)
  expect(await violations(lab.page)).toEqual([])
  await lab.picture(`profiles, ${name}`)
  await lab.smallest(async () => {
    expect(await violations(lab.page)).toEqual([])
    await lab.picture(`profiles, ${name}, small`)
  })
}

describe('the Profiles view', () => {
  it('says in a sentence what each cluster is', async () => {
    const words = async () => (await lab.at('cluster-sentences').textContent())?.replace(/\s+/g, ' ') ?? ''
    await expect
      .poll(words)
      .toContain('(50 rows, 33.3 %): petal_length 1.462 against 4.906 elsewhere (5.8 sd lower), petal_width')
    await expect.poll(() => lab.at('cluster-sentences').textContent()).toMatch(/Silhouette 0\.798/)
    await lab.at('card-profile-heatmap').waitFor()
    await accessible('summary')
  })

  it('has statistics of each cluster beside the whole, in units of the file and standardised', async () => {
    await lab.at('profile-statistics').click()
    const row = lab.at('profile-table').locator('tbody tr').filter({ hasText: 'petal_length' })
    await expect.poll(() => row.textContent()).toContain('3.758 ± 1.765')
    await expect.poll(() => row.textContent()).toContain('1.462 ± 0.174')
    await lab.at('units-standardised').check()
    await expect.poll(() => row.textContent()).toMatch(/-1\.30\d ± 0\.\d{3}/)
    await lab.at('units-file').check()
    await accessible('statistics')
  })

  it('plots chosen features as parallel coordinates and as boxes', async () => {
    await lab.at('profile-plots').click()
    await lab.at('card-profile-parallel').waitFor()
    await expect.poll(() => lab.page.locator('[data-testid^=card-profile-box]').count()).toBe(4)
    await lab.at('feature-chooser').locator('summary').click()
    await lab.at('feature-chooser').getByLabel('sepal_width').uncheck()
    await expect.poll(() => lab.page.locator('[data-testid^=card-profile-box]').count()).toBe(3)
    await accessible('plots')
  })

  it('shows silhouettes, and says that they are exact', async () => {
    await lab.at('profile-silhouettes').click()
    await expect
      .poll(() => lab.at('card-profile-silhouette').textContent())
      .toContain('Exact, over every pair of 150 rows')
    // scikit-learn 1.8: 0.5528 for these three clusters.
    await expect.poll(() => lab.at('card-profile-silhouette').textContent()).toContain('0.553 on average')
    await accessible('silhouettes')
  })

  it('shows every pair of features in the colours of the clusters', async () => {
    await lab.at('profile-matrix').click()
    await expect.poll(() => lab.page.locator('.matrix-cell[data-drawn=true]').count()).toBe(6)
    await accessible('matrix')
  })

  it('crosses clusters with known classes', async () => {
    await lab.at('profile-classes').click()
    // scikit-learn 1.8: 0.7302 and 0.7582 for these clusters and the species.
    await expect.poll(() => lab.at('cross-measures').textContent()).toContain('0.7302')
    await expect.poll(() => lab.at('cross-measures').textContent()).toContain('0.7582')
    await expect.poll(() => lab.at('cross-table').textContent()).toContain('100.0 %')
    await accessible('classes')
  })

  it('writes profile.csv, and its plots', async () => {
    const table = join(lab.folder, 'profile.csv')
    await lab.saveAs(table)
    await lab.at('export-profile').click()
    await lab.at('status-bar').filter({ hasText: 'profile.csv' }).waitFor()
    const [head, ...rows] = (await readFile(table, 'utf8')).trim().split('\n')
    expect(head).toBe('cluster,feature,mean,sd,min,q25,median,q75,max,z')
    expect(rows.length).toBeGreaterThanOrEqual(12)
    await lab.at('profile-matrix').click()
    await expect.poll(() => lab.page.locator('.matrix-cell[data-drawn=true]').count()).toBe(6)
    for (const [name, format] of [
      ['scatter-matrix', 'svg'],
      ['scatter-matrix', 'png'],
    ] as const) {
      const path = join(lab.folder, `${name}.${format}`)
      await lab.saveAs(path)
      await lab.at(`plot-actions-${name}`).click()
      await lab.at(`plot-${name}-${format}`).click()
      await lab.at('save-plot-apply').click()
      await lab
        .at('status-bar')
        .filter({ hasText: `${name}.${format}` })
        .waitFor()
      expect((await readFile(path)).length).toBeGreaterThan(5000)
    }
  })

  it('follows the result on screen', async () => {
    await lab.at('profile-summary').click()
    await lab.at('k').fill('2')
    await lab.at('run').click()
    await expect.poll(() => lab.page.locator('.cluster-sentence').count()).toBe(2)
    await lab.at('run-show').last().click()
    await expect.poll(() => lab.page.locator('.cluster-sentence').count()).toBe(3)
  })
})

describe('colours by a column', () => {
  it('are those of known classes, with a key, and the centroids keep theirs apart', async () => {
    await lab.at('view-clusters').click()
    await lab.at('colour-by').selectOption({ label: 'Colour: species' })
    await expect.poll(() => lab.at('class-key').textContent()).toContain('versicolor')
    await expect
      .poll(() => lab.page.locator('.plot-title').first().textContent())
      .toContain('coloured by species')
    await expect.poll(() => lab.at('scatter').getAttribute('data-coloured')).toBe('true')
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('coloured by species')
    const path = join(lab.folder, 'clusters.svg')
    await lab.saveAs(path)
    await lab.at('plot-actions-clusters').click()
    await lab.at('plot-clusters-svg').click()
    await lab.at('save-plot-apply').click()
    await lab.at('status-bar').filter({ hasText: 'clusters.svg' }).waitFor()
    expect(await readFile(path, 'utf8')).toContain('coloured by species')
    await lab.at('colour-by').selectOption({ label: 'Colour: cluster' })
    await expect.poll(() => lab.at('class-key').count()).toBe(0)
  })
})
