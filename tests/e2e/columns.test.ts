import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

/** What a careful analyst does to the columns of a table before clustering. */
let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

/** In both themes and in the smallest window. */
async function pictures(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await lab.page.emulateMedia({ colorScheme })
    await lab.picture(`${name}-${colorScheme}`)
    await lab.smallest(() => lab.picture(`${name}-${colorScheme}-small`))
  }
  await lab.page.emulateMedia({ colorScheme: 'light' })
}

describe('a scaling of its own', () => {
  it('is given to a feature beside its name, and stands in the result', async () => {
    await lab.openExample('wine.csv')
    await lab.at('scaling').selectOption('standardise')
    await lab.at('feature-filter').fill('pro')
    await lab.at('scaling-of-proline').selectOption('robust')
    expect(await lab.at('preparation').textContent()).toContain('1 feature has a scaling of its own')
    expect(await violations(lab.page)).toEqual([])
    await pictures('column-scaling')
    await lab.at('run').click()
    await lab.at('result-inertia').waitFor()
    await expect
      .poll(() => lab.at('result-scaling').textContent())
      .toContain('Standardise, but proline: Robust')
  })
})

describe('a filter of rows', () => {
  it('is set beside the features, counted, and leaves rows without a label', async () => {
    await lab.openExample('iris.csv')
    await lab.at('filter-open').click()
    await lab.at('condition-column-1').selectOption('species')
    await lab.at('condition-operator-1').selectOption('!=')
    await lab.at('condition-value-1').fill('setosa')
    await lab.at('filter-add-group').click()
    for (const [position, value] of ['5.5', '1.5'].entries()) {
      await lab
        .at(`condition-column-${position + 2}`)
        .selectOption(position === 0 ? 'petal_length' : 'petal_width')
      await lab.at(`condition-operator-${position + 2}`).selectOption('<')
      await lab.at(`condition-value-${position + 2}`).fill(value)
    }
    await expect.poll(() => lab.at('filter-count').textContent()).toContain('77 of 150 rows left out')
    expect(await violations(lab.page)).toEqual([])
    await pictures('filter-dialog')
    await lab.at('filter-apply').click()
    await expect.poll(() => lab.at('row-filter-count').textContent()).toContain('77 of 150 rows left out')
    await pictures('filter-panel')
    await lab.at('k').fill('2')
    await lab.at('run').click()
    await expect.poll(() => lab.at('result-filtered').textContent(), { timeout: 20_000 }).toBe('77')
    const path = join(lab.folder, 'labels.csv')
    await lab.saveAs(path)
    await lab.at('export-menu').click()
    await lab.at('export-labels').click()
    await lab.at('status-bar').filter({ hasText: 'labels.csv' }).waitFor()
    const rows = (await readFile(path, 'utf8')).trim().split('\n').slice(1)
    expect(rows.filter((row) => row.endsWith(',,'))).toHaveLength(77)
    expect(rows.filter((row) => row.includes('setosa')).every((row) => row.endsWith(',,'))).toBe(true)
  })
})

describe('a column of texts', () => {
  it('is ticked as features, whose centroids are shares', async () => {
    // The same file keeps its filter when it is opened again.
    await lab.openExample('iris.csv')
    await lab.at('filter-remove').click()
    await lab.at('one-hot-species').check()
    expect(await lab.at('dataset-shape').textContent()).toMatch(/150\D+7/)
    await lab.at('k').fill('3')
    await lab.at('run').click()
    await expect.poll(() => lab.at('result-points').textContent(), { timeout: 20_000 }).toMatch(/150 × 7/)
    const table = lab.at('cluster-table')
    await table.evaluate((element) => (element.parentElement ?? element).scrollTo({ left: 10_000 }))
    await expect.poll(() => table.textContent()).toContain('= virginica')
    await expect.poll(() => table.textContent()).toMatch(/100(\.0)?\s%/)
    expect(await violations(lab.page)).toEqual([])
    await pictures('one-hot')
  })
})

describe('dates', () => {
  it('are asked about where nothing tells their order, and stand as dates in the result', async () => {
    const path = join(lab.folder, 'visits.csv')
    const rows = Array.from({ length: 40 }, (_, i) => `0${i < 20 ? 3 : 9}/0${1 + (i % 9)}/2024,${i % 7}.5`)
    await writeFile(path, ['when,x', ...rows].join('\n'))
    await lab.drop(path)
    await lab.at('import-type-0').waitFor()
    await pictures('dates-import')
    await lab.at('import-type-0').selectOption('date-mdy')
    await lab.at('import-load').click()
    await lab.at('dataset-name').filter({ hasText: 'visits.csv' }).waitFor()
    expect(await lab.at('feature-when').isChecked()).toBe(false)
    await lab.at('feature-when').check()
    await lab.at('feature-x').uncheck()
    await lab.at('k').fill('2')
    await lab.at('run').click()
    await expect.poll(() => lab.at('cluster-table').textContent(), { timeout: 20_000 }).toContain('2024-09-0')
    await lab.at('axis-y').selectOption({ label: 'when (days since 1970-01-01)' })
    expect(await violations(lab.page)).toEqual([])
    await pictures('dates')
    const plot = join(lab.folder, 'clusters.svg')
    await lab.saveAs(plot)
    await lab.at('plot-actions-clusters').click()
    await lab.at('plot-clusters-svg').click()
    await lab.at('save-plot-apply').click()
    await lab.at('status-bar').filter({ hasText: 'clusters.svg' }).waitFor()
    expect(await readFile(plot, 'utf8')).toMatch(/>2024-0\d-\d\d</)
  })
})
