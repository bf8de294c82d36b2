import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

const points = () => lab.at('generate-preview').getAttribute('data-points')

describe('generated data', () => {
  it('is seen before it is saved, and is open afterwards', async () => {
    await chooseMenu(lab, 'generate')
    await lab.at('generate-dialog').waitFor()
    await expect.poll(points).toBe('2048')
    await lab.at('generate-shape').selectOption('blobs')
    await lab.at('generate-n').fill('0')
    expect(await lab.at('generate-dialog').getByRole('alert').textContent()).toMatch(
      /^The number of points must be a whole number from 1 to \d+, but it is 0\.$/,
    )
    expect(await lab.at('generate-save').isDisabled()).toBe(true)
    await lab.picture('generate-wrong')

    await lab.at('generate-n').fill('20000')
    await lab.at('generate-format').selectOption('headed')
    await expect.poll(points).toBe('5000')
    await expect.poll(() => lab.at('generate-preview-title').textContent()).toMatch(/^First 5.000 of 20.000/)
    await lab.picture('generate')
    expect(await violations(lab.page)).toEqual([])

    const file = join(lab.folder, 'made.txt')
    await lab.saveAs(file)
    await lab.at('generate-save').click()
    await lab.at('dataset-name').filter({ hasText: 'made.txt' }).waitFor()
    expect(await lab.at('generate-dialog').count()).toBe(0)
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(20_004)
    expect(await lab.at('k').inputValue()).toBe('5')
  })
})
