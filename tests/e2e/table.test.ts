import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
  await lab.at('init').selectOption('first-k')
  await lab.at('stop-rule').selectOption('labels')
  await lab.at('run').click()
  await lab.page.waitForSelector('[data-testid=progress][data-state=done]', { state: 'attached' })
  await lab.at('view-table').click()
})
afterAll(() => lab.close())

const says = () => lab.at('table-count').textContent()
const cellsOf = (position: number) =>
  lab.page.locator(`[data-position="${position}"] > [data-column]`).allTextContents()
const trimmed = async (position: number) => (await cellsOf(position)).map((cell) => cell.trim())

describe('the table of rows', () => {
  it('has every row with every cell as it stands in the file', async () => {
    await expect.poll(says).toBe('150 rows')
    const lines = (await readFile(join(import.meta.dirname, '../../examples/iris.csv'), 'utf8')).split('\n')
    await expect.poll(async () => (await trimmed(0)).slice(3)).toEqual(lines[1]?.split(','))
    expect((await trimmed(0))[0]).toBe('2')
    await lab.at('table-grid').focus()
    await lab.page.keyboard.press('Control+End')
    await expect.poll(async () => (await trimmed(149)).slice(3)).toEqual(lines[150]?.split(','))
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('table')
  })

  it('sorts by a click on a header, in both directions, and back to the order of the file', async () => {
    const header = lab.at('table-head-file-0')
    await header.click()
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
    await expect.poll(async () => (await trimmed(0))[3]).toBe('4.3')
    await header.click()
    await expect.poll(async () => (await trimmed(0))[3]).toBe('7.9')
    await header.click()
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('none')
    await expect.poll(async () => (await trimmed(0))[0]).toBe('2')
  })

  it('sorts by keys alone', async () => {
    await lab.at('table-grid').focus()
    for (const key of ['Control+Home', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'Enter', 'Enter'])
      await lab.page.keyboard.press(key)
    await expect.poll(() => lab.at('table-head-distance').getAttribute('aria-sort')).toBe('descending')
    await expect
      .poll(async () => {
        const [first, second] = [await trimmed(0), await trimmed(1)]
        return Number(first[2]) >= Number(second[2]) && Number(second[2]) > 1
      })
      .toBe(true)
    await lab.page.keyboard.press('Enter')
  })

  it('computes silhouettes and sorts by them', async () => {
    await lab.at('table-silhouettes').click()
    await lab.at('table-head-silhouette').waitFor()
    await lab.at('table-head-silhouette').click()
    await expect.poll(async () => Number((await trimmed(0))[3])).toBeLessThan(0.1)
    await lab.at('table-head-row').click()
    await expect.poll(async () => (await trimmed(0))[0]).toBe('2')
  })
})

describe('a filtered table', () => {
  it('says how many rows of how many fulfil conditions on clusters, distance and columns', async () => {
    await lab.at('table-filter').click()
    await lab.at('table-cluster-0').uncheck()
    await lab.at('table-cluster--1').uncheck()
    await expect.poll(says).toBe('111 of 150 rows')
    await lab.at('table-distance-least').fill('0.5')
    await lab.at('table-distance-least').press('Enter')
    await expect.poll(says).toMatch(/^\d\d of 150 rows$/)
    await lab.at('table-columns').click()
    await lab.at('condition-column-1').selectOption('species')
    await lab.at('condition-value-1').fill('setosa')
    await lab.at('filter-apply').click()
    await expect.poll(says).toMatch(/^\d{1,2} of 150 rows$/)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('table filtered')
    await lab.at('table-distance-least').fill('900')
    await lab.at('table-distance-least').press('Enter')
    await lab.at('table-empty').waitFor()
    expect(await violations(lab.page)).toEqual([])
    await lab.at('table-filter-clear').click()
    await expect.poll(says).toBe('150 rows')
    await lab.at('table-filter').click()
  })
})

describe('rows selected in the table', () => {
  it('are those marked in the plot, and can be copied in the order of the table', async () => {
    await lab.at('table-head-file-0').click()
    await lab.at('table-head-file-0').click()
    await expect.poll(async () => (await trimmed(0))[4]).toBe('7.9')
    await lab.page.locator('[data-position="0"] > [data-column="0"]').click()
    await lab.page.locator('[data-position="4"] > [data-column="0"]').click({ modifiers: ['Shift'] })
    await expect.poll(() => lab.at('table-picked').textContent()).toContain('5 selected')
    expect(await lab.page.locator('[role=row][aria-selected=true]').count()).toBe(5)
    await lab.at('table-grid').focus()
    await lab.page.keyboard.press('Control+c')
    const copied = async () => (await lab.app.evaluate(({ clipboard }) => clipboard.readText())).split('\n')
    await expect.poll(async () => (await copied()).length).toBe(6)
    expect((await copied())[1]?.split('\t')[3]).toBe('7.9')
    await lab.picture('table rows selected')
    await lab.at('view-clusters').click()
    await expect.poll(() => lab.at('scatter').getAttribute('data-selected')).toBe('5')
    await lab.at('view-table').click()
  })

  it('can be all that the table shows', async () => {
    await lab.at('table-picked-only').check()
    await expect.poll(says).toBe('5 of 150 rows')
    await lab.at('table-picked-only').uncheck()
    await expect.poll(says).toBe('150 rows')
  })

  it('are left out of the next run, which is said over the views and can be taken back', async () => {
    await lab.at('table-leave-out').click()
    await expect.poll(() => lab.at('filter-bar').textContent()).toContain('5 of 150 rows left out')
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('rows left out')
    await lab.at('run').click()
    await expect.poll(() => lab.page.locator('[data-position="0"]').textContent()).toContain('left out')
    await lab.at('filter-bar-remove').click()
    await lab.at('filter-bar').waitFor({ state: 'detached' })
    await lab.at('table-grid').focus()
    await lab.page.keyboard.press('Control+z')
    await expect.poll(() => lab.at('filter-bar').textContent()).toContain('5 of 150 rows left out')
    await lab.at('filter-bar-change').click()
    expect(await lab.at('condition-rows-1').textContent()).toContain('5 picked rows')
    await lab.at('condition-remove-1').click()
    await lab.at('filter-apply').click()
    await lab.at('filter-bar').waitFor({ state: 'detached' })
  })
})

describe('a table of another file', () => {
  it('has the cells of a file of hundreds of columns, and no clusters before a run', async () => {
    const wide = Array.from({ length: 30 }, (_, row) =>
      Array.from({ length: 250 }, (_, column) => `${row}.${column}`).join(','),
    )
    const path = join(lab.folder, 'wide.csv')
    const header = Array.from({ length: 250 }, (_, column) => `c${column}`).join(',')
    await writeFile(path, `${header}\n${wide.join('\n')}\n`)
    await lab.drop(path)
    await lab.at('dataset-name').filter({ hasText: 'wide.csv' }).waitFor()
    await expect.poll(says).toBe('30 rows')
    await lab.at('table-grid').focus()
    await lab.page.keyboard.press('Control+End')
    await expect.poll(async () => (await trimmed(29)).at(-1)).toBe('29.249')
    for (let at = 0; at < 150; at++) await lab.page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await trimmed(29)).includes('29.99')).toBe(true)
    await expect.poll(async () => (await trimmed(29)).includes('29.100')).toBe(true)
    expect(await violations(lab.page)).toEqual([])
  })
})
