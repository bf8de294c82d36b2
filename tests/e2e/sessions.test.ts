import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let home: string
let lab: Lab
const runs = () => lab.page.locator('[data-run]')
const title = () => lab.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].getTitle())
const clab = () => join(home, 'study.clab')

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid sessions '))
  lab = await launch([], home)
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

async function run(k: number, inertia: RegExp): Promise<void> {
  const before = await runs().count()
  await lab.at('k').fill(String(k))
  await lab.at('run').click()
  await expect.poll(() => runs().count()).toBe(before + 1)
  await lab.at('result-inertia').filter({ hasText: inertia }).waitFor()
}

async function show(name: string): Promise<void> {
  await lab.at('dataset-switch').click()
  await lab.at(`dataset-${name}`).click()
  await lab.at('dataset-name').filter({ hasText: name }).waitFor()
}

/** Ctrl+S, as a person has it. */
async function save(): Promise<void> {
  await lab.page.keyboard.press('Control+s')
  await lab.at('status-bar').filter({ hasText: 'Saved study.clab' }).waitFor()
}

describe('two files in one session', () => {
  it('keep their runs, settings and views side by side', async () => {
    await lab.openExample('iris.csv')
    await run(3, /^\D*78\.8/)
    await lab.openExample('wine.csv')
    await run(4, /\d/)
    expect(await lab.at('run-dataset').allTextContents()).toEqual(['wine.csv1 run', 'iris.csv1 run'])
    expect(await title()).toBe('• wine.csv – Centroid Lab')
    await lab.at('view-profiles').click()
    await show('iris.csv')
    await lab
      .at('result-inertia')
      .filter({ hasText: /^\D*78\.8/ })
      .waitFor()
    await expect.poll(() => lab.at('k').inputValue()).toBe('3')
    await lab.at('scatter').waitFor()
    await show('wine.csv')
    await expect.poll(() => lab.at('k').inputValue()).toBe('4')
    await lab.at('profiles-view').waitFor()
    await lab.at('view-clusters').click()
  })

  it('take notes, are filtered and sorted', async () => {
    await run(2, /\d/)
    await runs().first().getByTestId('run-show').press('F2')
    await lab.at('run-note-field').fill('for the report')
    await lab.page.keyboard.press('Enter')
    await lab.at('run-note-text').filter({ hasText: 'for the report' }).waitFor()
    // The menu of a run, by the mouse: what is typed next is the note.
    await runs().first().getByTestId('run-menu').click()
    await lab.at('run-note').click()
    await lab.at('run-note-field').waitFor()
    await lab.page.waitForTimeout(200)
    await lab.page.keyboard.type('from the menu, for the report')
    await lab.page.keyboard.press('Enter')
    await lab.at('run-note-text').filter({ hasText: 'from the menu' }).waitFor()
    await lab.at('runs-filter').fill('report')
    await expect.poll(() => runs().count()).toBe(1)
    await lab.at('runs-filter').fill('')
    await lab.at('runs-order').selectOption('k')
    await expect.poll(() => runs().first().textContent()).toContain('k 2')
    await lab.at('runs-order').selectOption('newest')
    for (const theme of ['light', 'dark'] as const) {
      await lab.at('theme').selectOption(theme)
      expect(await violations(lab.page)).toEqual([])
      await lab.picture(`session ${theme}`)
    }
    await lab.at('dataset-switch').click()
    await lab.at('dataset-close').waitFor()
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('session datasets')
    await lab.page.keyboard.press('Escape')
    await lab.smallest(() => lab.picture('session, smallest window'))
    await lab.at('theme').selectOption('system')
  })
})

describe('a session', () => {
  it('is saved whole, with its mark gone until something changes', async () => {
    await lab.saveAs(clab())
    await save()
    expect(await title()).toBe('study.clab · wine.csv – Centroid Lab')
    expect(await lab.at('save-session').count()).toBe(0)
    expect((await readFile(clab())).subarray(0, 2).toString()).toBe('PK')
    await runs().first().getByTestId('run-show').press('F2')
    await lab.at('run-note-field').fill('another word')
    await lab.page.keyboard.press('Enter')
    await expect.poll(title).toBe('• study.clab · wine.csv – Centroid Lab')
    expect(await lab.at('status-bar').textContent()).not.toContain('Saved study.clab')
    await save()
  })

  it('asks before it is closed with runs that are not saved, and stays when the person turns back', async () => {
    await run(5, /\d/)
    await lab.answer('Cancel')
    await lab.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].close())
    await expect.poll(() => lab.questions()).toEqual(['Save the session study.clab?'])
    expect(await lab.at('dataset-name').textContent()).toContain('wine.csv')
    // A quit asks too.
    await lab.app.evaluate(({ app }) => app.quit())
    await expect.poll(async () => (await lab.questions()).length).toBe(2)
    await lab.answer('Save')
    const ended = lab.app.waitForEvent('close')
    await lab.app.evaluate(({ app }) => app.quit())
    await ended
  })

  it('opens again from the command line at its last view, and nothing is asked when it is closed', async () => {
    lab = await launch([clab()], home)
    await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
    await expect.poll(() => runs().count()).toBe(4)
    await expect.poll(() => lab.at('k').inputValue()).toBe('5')
    await lab.at('run-note-text').filter({ hasText: 'another word' }).waitFor()
    await lab.at('scatter').waitFor()
    await lab.at('status-bar').filter({ hasText: 'study.clab is open again with 4 results' }).waitFor()
    expect(await title()).toBe('study.clab · wine.csv – Centroid Lab')
    // The runs of the other file are there as well, with their arrays.
    await show('iris.csv')
    await lab
      .at('result-inertia')
      .filter({ hasText: /^\D*78\.8/ })
      .waitFor()
    await lab.page.locator('[data-testid=scatter][data-coloured=true]').waitFor()
    await lab.answer('Cancel')
    const ended = lab.app.waitForEvent('close')
    await lab.app.evaluate(({ app }) => app.quit())
    await ended
  })

  it('that was killed comes back with what was not saved, and its .clab is as it was', async () => {
    lab = await launch([], home)
    await lab.at('recent-study.clab').click()
    await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
    await show('iris.csv')
    const before = await readFile(clab())
    await run(6, /\d/)
    await runs().first().getByTestId('run-show').press('F2')
    await lab.at('run-note-field').fill('before the end')
    await lab.page.keyboard.press('Enter')
    await lab.page.waitForTimeout(600)
    const ended = lab.app.waitForEvent('close')
    lab.app.process().kill('SIGKILL')
    await ended
    expect(await readFile(clab())).toEqual(before)
    lab = await launch([], home)
    await lab.at('dataset-name').filter({ hasText: 'iris.csv' }).waitFor()
    await lab.at('run-note-text').filter({ hasText: 'before the end' }).waitFor()
    await expect.poll(title).toBe('• study.clab · iris.csv – Centroid Lab')
    await expect.poll(() => runs().count()).toBe(5)
  })

  it('gives way to a new one, and is offered where it was not saved', async () => {
    await lab.answer("Don't save")
    await lab.page.keyboard.press('Control+n')
    await lab.at('kept-study.clab').filter({ hasText: '5 runs' }).waitFor()
    await lab.picture('new session')
    await lab.at('kept-study.clab').click()
    await lab.at('run-note-text').filter({ hasText: 'before the end' }).waitFor()
  })

  it('loses a dataset at the word of the person alone', async () => {
    await lab.answer('Cancel')
    await lab.at('dataset-switch').click()
    await lab.at('dataset-close').click()
    await expect.poll(() => lab.questions()).toEqual(['Close iris.csv and delete its 2 runs?'])
    expect(await runs().count()).toBe(5)
    await lab.answer('Close and delete')
    await lab.at('dataset-switch').click()
    await lab.at('dataset-close').click()
    await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
    await expect.poll(() => runs().count()).toBe(3)
  })

  it('takes the place of another on screen, whole, and is saved whole', async () => {
    await lab.answer("Don't save")
    await lab.page.keyboard.press('Control+n')
    await lab.at('kept-study.clab').waitFor()
    await lab.openExample('iris.csv')
    await run(2, /\d/)
    await lab.drop(clab())
    await expect.poll(() => runs().count()).toBe(4)
    await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
    await show('iris.csv')
    await run(7, /\d/)
    await save()
    await lab.page.keyboard.press('Control+n')
    await lab.drop(clab())
    await expect.poll(() => runs().count()).toBe(5)
    await show('wine.csv')
  })

  it('refuses a damaged file in one sentence, and what is open stays', async () => {
    const bad = join(home, 'bad.clab')
    const whole = await readFile(clab())
    await writeFile(bad, whole.subarray(0, 900))
    await lab.drop(bad)
    await lab.at('error-message').filter({ hasText: 'bad.clab is damaged' }).waitFor()
    expect(await lab.at('dataset-name').textContent()).toContain('wine.csv')
    expect(await runs().count()).toBe(5)
  })
})
