import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Suite } from '@shared/benchmark/suite'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { defaultGeneratorSpec } from '@shared/generator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Lab } from '../e2e/harness'
import { dialogTitled, isOpen, pictureOfDisplay, press, typePath } from './gtk'

let lab: Lab
let folder: string
let tables: string

/** A suite of generated data on the processor. */
function sweep(): Suite {
  const { suite } = comparisonDocument()
  const spec = { ...defaultGeneratorSpec, shape: 'uniform', n: 10_000, d: 2 } as const
  return {
    ...suite,
    cases: [{ dataset: { kind: 'generated', name: 'ten thousand', spec }, k: [4] }],
    contenders: suite.contenders.slice(0, 2),
    repeats: 7,
    publication: null,
  }
}

beforeAll(async () => {
  lab = await launch([resolve('examples/iris.csv')])
  folder = await mkdtemp(join(tmpdir(), 'dialogs-'))
  tables = join(folder, 'my tables')
  await mkdir(tables)
  for (const name of ['iris.csv', 'wine.csv']) await copyFile(join('examples', name), join(tables, name))
  await writeFile(join(tables, 'notes.md'), 'no table')
  await lab.at('dataset-name').filter({ hasText: 'iris.csv' }).waitFor()
  await lab.at('view-benchmark').click()
  await lab.at('bench-setup').waitFor()
})
afterAll(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

describe('dialogs of the desktop', () => {
  it('a folder that is chosen brings its tables, and nothing else that lies in it', async () => {
    await lab.at('bench-add-folder').click()
    await dialogTitled('Choose a folder of tables')
    await typePath(tables, 'dialog folder')
    await lab.at('bench-case-wine.csv').waitFor()
    expect(await lab.page.locator('[data-testid^=bench-case-]').count()).toBe(3)
    pictureOfDisplay('after folder')
  })

  it('a folder dialog that is closed changes nothing', async () => {
    const before = await lab.at('bench-cases').textContent()
    await lab.at('bench-add-folder').click()
    const dialog = await dialogTitled('Choose a folder of tables')
    press('Escape')
    await expect.poll(() => isOpen(dialog)).toBe(false)
    expect(await lab.at('bench-cases').textContent()).toBe(before)
    expect(await lab.page.locator('.notice-error').count()).toBe(0)
  })

  it('a suite that is opened is set up as its file says', async () => {
    const path = join(folder, 'sweep.json')
    await writeFile(path, JSON.stringify(sweep()))
    await lab.at('bench-open-suite').click()
    await dialogTitled('Open a comparison')
    await typePath(path, 'dialog suite')
    await expect.poll(() => lab.at('bench-cases').textContent()).toContain('ten thousand')
    expect(await lab.at('bench-repeats').inputValue()).toBe('7')
    pictureOfDisplay('after suite')
  })

  it('a file that exists is replaced only after the question of the dialog', async () => {
    const path = join(folder, 'labels.csv')
    await writeFile(path, 'mine')
    await lab.at('view-clusters').click()
    await lab.at('k').fill('3')
    await lab.at('run').click()
    await lab.at('result-inertia').filter({ hasText: '78' }).waitFor()
    await lab.at('export-menu').click()
    await lab.at('export-labels').click()
    const dialog = await dialogTitled('Export .*')
    press('ctrl+a')
    await typePath(path, 'dialog save')
    await delay(1500)
    pictureOfDisplay('dialog replace')
    expect(isOpen(dialog)).toBe(true)
    expect(await readFile(path, 'utf8')).toBe('mine')
    // The question's own letter for it.
    press('alt+r')
    await expect.poll(() => readFile(path, 'utf8')).toContain('sepal')
  })
})
