import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

const state = (name: string) =>
  lab.page.waitForSelector(`[data-testid=progress][data-state=${name}]`, {
    state: 'attached',
    timeout: 30_000,
  })

async function file(name: string, lines: Iterable<string>): Promise<string> {
  const path = join(lab.folder, name)
  await writeFile(path, [...lines].join('\n'))
  return path
}

/** The state is looked at by axe-core in both themes, and photographed for a person to look at. */
async function accessible(name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await lab.page.emulateMedia({ colorScheme: theme })
    expect(await violations(lab.page), `${name}, ${theme}`).toEqual([])
    await lab.picture(`${name} ${theme}`)
  }
  await lab.page.emulateMedia({ colorScheme: 'light' })
}

describe('every state of the window is designed and accessible', () => {
  it('nothing loaded', async () => {
    await lab.at('drop-zone').waitFor()
    await accessible('state nothing loaded')
  })

  it('a file that cannot be read', async () => {
    await lab.drop(await file('empty.csv', []))
    await lab.at('error-message').first().waitFor()
    await accessible('state refused file')
  })

  it('a doubtful file, looked at before it loads', async () => {
    await lab.drop(await file('doubtful.csv', ['a,b', '1', '2', '3,4', '5,6']))
    await lab.at('import-dialog').waitFor()
    await accessible('state import preview')
    await lab.page.keyboard.press('Escape')
    await lab.at('import-dialog').waitFor({ state: 'detached' })
  })

  it('loading, with the rows so far', async () => {
    const cells = Array.from(
      { length: 399_999 },
      (_, i) => `${i % 977},${(i * 7) % 1009},${i % 13},${'x'.repeat(100)}`,
    )
    // A cell of two lines is read with care, which takes long enough to be looked at.
    await lab.drop(await file('large.csv', ['a,b,c,note', '1,2,3,"two\nlines"', ...cells]))
    await lab.at('loading').waitFor()
    await expect.poll(() => lab.at('loading').textContent()).toMatch(/\d.*rows/)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('state loading light')
    await lab.at('dataset-name').filter({ hasText: 'large.csv' }).waitFor({ timeout: 60_000 })
  })

  it('ready', async () => {
    await expect.poll(() => lab.at('scatter').getAttribute('data-points-drawn')).toBe('400000')
    await lab.at('run').waitFor()
    await accessible('state ready')
  })

  it('loading another file over an open one, told in the middle and below', async () => {
    const cells = Array.from({ length: 3_000_000 }, (_, i) => `${i % 977},${(i * 7) % 1009},x`)
    await lab.drop(await file('larger.csv', ['a,b,note', '1,2,"two\nlines"', ...cells]))
    await lab.at('waiting-card').waitFor()
    await expect.poll(() => lab.at('waiting-card').textContent()).toMatch(/Loading larger\.csv.*\d.*rows/s)
    expect(await lab.at('status-bar').textContent()).toMatch(/Loading larger\.csv: .*rows/)
    await lab.picture('state loading over a file')
    expect(await violations(lab.page)).toEqual([])
    await lab.at('status-cancel-loading').click()
    await lab.at('waiting-card').waitFor({ state: 'detached' })
    expect(await lab.at('dataset-name').textContent()).toBe('large.csv')
  })

  it('running, with elapsed and remaining time', async () => {
    await lab.at('stop-rule').selectOption('none')
    await lab.at('max-iterations').fill('100000')
    await lab.at('k').fill('6')
    // `fused` repeats what stands still in no time, and would be done before it is cancelled.
    await lab.at('variant').selectOption('sequential')
    await lab.at('run').click()
    await lab.at('cancel').waitFor()
    await expect.poll(() => lab.at('progress').textContent(), { timeout: 20_000 }).toMatch(/Iteration/s)
    await accessible('state running')
  })

  it('cancelled', async () => {
    await lab.at('cancel').click()
    await state('cancelled')
    expect(await lab.at('progress').textContent()).toContain('Cancelled')
    await accessible('state cancelled')
  })

  it('done', async () => {
    await lab.openExample('iris.csv')
    await lab.at('stop-rule').selectOption('labels')
    await lab.at('max-iterations').fill('300')
    await lab.at('k').fill('3')
    await lab.at('run').click()
    await state('done')
    await lab.at('result-inertia').waitFor()
    await accessible('state done')
  })

  it('settings changed since the result', async () => {
    await lab.at('k').fill('4')
    await lab.at('stale-mark').waitFor()
    await accessible('state stale')
  })

  it('a setting that cannot be', async () => {
    await lab.at('k').fill('nine')
    expect(await lab.at('run').isDisabled()).toBe(true)
    await accessible('state wrong setting')
    await lab.at('k').fill('4')
  })

  it('failed, with a sentence, and the result before it', async () => {
    await lab.drop(await file('gaps.csv', ['a,b', '1,2', '3,', '5,6', '7,8', '9,10']))
    await lab.at('dataset-name').filter({ hasText: 'gaps.csv' }).waitFor()
    await lab.at('missing').selectOption('refuse')
    await lab.at('k').fill('2')
    await lab.at('run').click()
    await state('failed')
    expect(await lab.at('error-message').first().textContent()).toMatch(
      /^Row 3, column 'b' of gaps.csv has no number: .*\.$/,
    )
    await accessible('state failed')
    await lab.at('missing').selectOption('drop')
  })

  it('engine lost and restarted', async () => {
    await lab.openExample('wine.csv')
    process.kill(lab.hostPid(), 'SIGKILL')
    await lab.at('banner').waitFor({ timeout: 20_000 })
    await accessible('state engine lost')
    await lab.at('banner').filter({ hasText: 'restarted' }).waitFor({ timeout: 20_000 })
    await accessible('state engine restarted')
    await expect.poll(() => lab.at('run').isEnabled(), { timeout: 20_000 }).toBe(true)
  })
})
