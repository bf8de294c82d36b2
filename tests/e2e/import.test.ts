import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

async function file(name: string, lines: readonly string[]): Promise<string> {
  const path = join(lab.folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

const rows = (count: number, cells: (row: number) => string): string[] =>
  Array.from({ length: count }, (_, row) => cells(row))
const text = (id: string) => lab.at(id).textContent()

describe('a file with something doubtful', () => {
  it('waits in the preview, shows what a change makes of it, and loads as set', async () => {
    const cells = rows(40, (row) => (row % 4 === 0 ? `${row}.5;1.${row}` : `${row},5;1,${row}`))
    await lab.drop(await file('odd.csv', ['x;y', ...cells]))
    await lab.at('import-dialog').waitFor()
    expect(await lab.at('dataset-name').count()).toBe(0)
    const focused = () => lab.at('import-decimal').evaluate((select) => select === document.activeElement)
    await expect.poll(focused).toBe(true)
    await lab.picture('import-doubtful')
    await lab.at('import-type-1').selectOption('text')
    await expect.poll(() => text('import-effect')).toContain('1 proposed as features')
    await lab.at('import-decimal').selectOption('.')
    await expect.poll(() => text('import-effect')).toContain('No numeric columns')
    await lab.at('import-decimal').selectOption(',')
    await expect.poll(() => text('import-notes')).toContain("'4.5' is not a number")
    await lab.at('import-load').click()
    await lab.at('dataset-name').filter({ hasText: 'odd.csv' }).waitFor()
    expect(await text('dataset-shape')).toBe('40 × 1')
  })

  it('says at the top why it waits, and has the row in sight that it names', async () => {
    const cells = rows(150, (row) => (row === 99 ? '1,2,3' : '1,2'))
    await lab.drop(await file('ragged far down.csv', ['x,y', ...cells]))
    await lab.at('import-dialog').waitFor()
    expect(await text('import-notes')).toContain('Row 101 has 3 cells where 2 belong')
    const marked = lab.page.locator('.doubtful-row')
    await expect.poll(() => marked.count()).toBe(1)
    const isInSight = () =>
      marked.evaluate((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        const frame = row.closest('[data-testid=import-table]')?.getBoundingClientRect()
        return frame !== undefined && top >= frame.top + 100 && bottom <= frame.bottom
      })
    await expect.poll(isInSight).toBe(true)
    await lab.picture('import-row-in-doubt')
    await lab.page.keyboard.press('Escape')
    await lab.at('import-dialog').waitFor({ state: 'detached' })
    await lab.drop(await file('title.csv', ['A table of two columns', 'x,y', '1,2', '3,4']))
    await lab.at('import-dialog').waitFor()
    const doubted = lab.page.locator('.dialect-field[data-doubtful]')
    expect(await doubted.count()).toBe(1)
    expect(await doubted.textContent()).toContain('Header row')
    await lab.picture('import-title-in-doubt')
    await lab.page.keyboard.press('Escape')
    await lab.at('import-dialog').waitFor({ state: 'detached' })
  })

  it('is read again another way, and what was set for the run stays', async () => {
    await lab.at('k').fill('7')
    await lab.at('import-details').locator('summary').click()
    await lab.at('import-settings').click()
    await lab.at('import-reset').click()
    await lab.at('import-load').click()
    await expect.poll(() => text('dataset-shape')).toBe('40 × 2')
    expect(await lab.at('k').inputValue()).toBe('7')
  })

  it('can be left alone: Escape keeps what is open', async () => {
    await lab.drop(await file('ragged.csv', ['a,b', '1,2', '3', '4,5', '6,7']))
    await lab.at('import-dialog').waitFor()
    await lab.page.keyboard.press('Escape')
    await lab.at('import-dialog').waitFor({ state: 'detached' })
    expect(await text('dataset-name')).toBe('odd.csv')
  })
})

describe('a file with stray quotes, sep= and a title', () => {
  it('is reported row by row before it loads and after, and in the result', async () => {
    const name = (row: number) => (row === 95 ? '"Acme" Ltd' : row === 150 ? '"open' : 'plain')
    const cells = rows(200, (row) => `${row % 17};${row % 13},5;${name(row)}`)
    await lab.drop(await file('stray.csv', ['sep=;', 'Sales report 2024', '', 'x;y;name', ...cells]))
    await lab.at('import-dialog').waitFor()
    await lab.picture('import-stray-preview')
    const warnings = [
      "Row 1 is 'sep=;', which names the delimiter",
      'Row 2 was taken for a title',
      'Row 100: a quote stands in the middle of a cell',
      'Row 155: a quote is opened and not closed in its row',
    ]
    for (const sentence of warnings) expect(await text('import-notes')).toContain(sentence)
    await lab.at('import-load').click()
    await lab.at('dataset-name').filter({ hasText: 'stray.csv' }).waitFor()
    expect(await text('dataset-shape')).toBe('200 × 2')
    await lab.at('import-details').evaluate((details) => details.setAttribute('open', ''))
    for (const sentence of warnings) expect(await text('import-receipt-notes')).toContain(sentence)
    await lab.picture('import-stray-receipt')
  })
})

describe('a file of 300 columns', () => {
  it('draws histograms of the columns in sight only, and finds columns by name', async () => {
    const names = rows(300, (column) => `channel ${column}`).join(',')
    const cells = rows(200, (row) => rows(300, (column) => `${(row * (column + 7)) % 1009}.5`).join(','))
    await lab.drop(await file('wide.csv', [names, ...cells]))
    await lab.at('dataset-name').filter({ hasText: 'wide.csv' }).waitFor()
    await lab.at('histogram-channel 0').locator('path').waitFor({ state: 'attached' })
    expect(await lab.at('histogram-channel 299').locator('path').count()).toBe(0)
    await lab.at('feature-filter').fill('299')
    await lab.at('histogram-channel 299').locator('path').waitFor({ state: 'attached' })
    await lab.at('features-none').click()
    await expect.poll(() => text('feature-count')).toBe('299 of 300')
    await lab.picture('import-wide')
  })

  it('has k and Run in sight whatever the number of features', async () => {
    const edges = (id: string) => lab.at(id).evaluate((at) => at.getBoundingClientRect().toJSON() as DOMRect)
    const [k, run] = [await edges('k'), await edges('run')]
    const scrolled = await lab.page
      .locator('.panel-scroll')
      .first()
      .evaluate((at) => at.getBoundingClientRect().bottom)
    expect(k.bottom).toBeLessThan(scrolled)
    expect(run.bottom).toBeLessThan(await lab.page.evaluate(() => innerHeight))
    await lab.at('feature-filter').fill('')
    await lab.picture('k-in-sight')
  })
})

describe('a file that is no text', () => {
  it('is dropped, loads, and has nothing to be set but types', async () => {
    await lab.drop(resolve('tests/formats/files/table-lz4.parquet'))
    await lab.at('dataset-name').filter({ hasText: 'table-lz4.parquet' }).waitFor()
    expect(await text('dataset-shape')).toBe('160 × 3')
    // A test before this one may have opened them.
    await lab.at('import-details').evaluate((details) => details.setAttribute('open', ''))
    expect(await text('import-details')).toMatch(/Format\s*Parquet/)
    await lab.at('import-settings').click()
    await lab.at('import-dialog').waitFor()
    expect(await text('import-no-dialect')).toContain('The file is a Parquet file')
    expect(await lab.at('import-delimiter').count()).toBe(0)
    await lab.picture('import-parquet')
    await lab.page.keyboard.press('Escape')
    await lab.at('import-dialog').waitFor({ state: 'detached' })
  })
})
