import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

/** A column that float32 cannot hold apart, one with units, one with an infinite cell, one of text. */
const rows = Array.from({ length: 500 }, (_, i) => {
  const t = i < 250 ? Math.round(Math.sin(i) * 1000) / 1000 : 1_600_000_000 + 4 * (i % 3)
  return `${t},${10 + (i % 9)} kg,${i === 7 ? 'inf' : i % 5},${i % 2 ? 'oak' : 'elm'}`
})

describe('what is lost of the data', () => {
  it('is told in the import details and in the result', async () => {
    const path = join(lab.folder, 'trees.csv')
    await writeFile(path, `t,mass,v,tree\n${rows.join('\n')}\n`)
    await lab.drop(path)
    const load = lab.at('import-load')
    await lab.at('dataset-name').filter({ hasText: 'trees.csv' }).or(load).first().waitFor()
    if (await load.isVisible()) await load.click()
    await lab.at('dataset-name').filter({ hasText: 'trees.csv' }).waitFor()
    const details = lab.at('import-details')
    await details.locator('summary').click()
    await expect.poll(() => details.textContent()).toContain('Column mass: numbers are read in kg')
    await expect.poll(() => details.textContent()).toContain("the first '10 kg' in row 2 as 10")
    await lab.at('run').click()
    const panel = lab.page.locator('body')
    await lab.at('result-inertia').waitFor()
    const all = lab.page.getByRole('button', { name: /^Show all \d+ warnings$/ })
    if (await all.isVisible()) await all.click()
    for (const sentence of [
      'Column t: float32 makes values the same that differ by less than 128',
      "Column v: 1 cell is no number and counts as missing, 'inf' in row 9.",
      'Not used as features: tree (not numeric).',
    ])
      expect(await panel.textContent()).toContain(sentence)
    await lab.picture('data-warnings')
  })

  it('is in sight where a file was read otherwise than it began', async () => {
    const path = join(lab.folder, 'caf\u00e9.csv')
    const plain = Array.from({ length: 40_000 }, (_, i) => `${i % 97},${i % 89}.5,plain`)
    const text = `x,y,name\r\n${plain.join('\n')}\n1,2,caf\u00e9\n`
    await writeFile(path, Buffer.from(text, 'latin1'))
    await lab.drop(path)
    await lab.at('dataset-name').filter({ hasText: 'caf' }).waitFor()
    await expect.poll(() => lab.at('import-gaps').textContent()).toMatch(/Read as Latin-1, mixed line ends/)
    await lab.picture('findings in sight')
  })

  it('a circle of links is what it is called', async () => {
    const loop = join(lab.folder, 'loop.csv')
    await symlink('loop.csv', loop)
    await lab.drop(loop)
    const message = lab.at('error-message').first()
    await expect.poll(() => message.textContent()).toContain('lead round in a circle: mend the link')
  })
})
