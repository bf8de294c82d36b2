/** A month of use: three files in one session, killed, taken elsewhere with one file moved and one changed. */
import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { violations } from './axe'
import { chooseInDialog, chooseMenu } from './bridge'
import { launch, type Lab } from './harness'

const examples = resolve(import.meta.dirname, '../../examples')
const files = ['iris.csv', 'wine.csv', 'digits.csv'] as const
let home: string
let lab: Lab
const runs = () => lab.page.locator('[data-run]')
const at = (...names: readonly string[]) => join(home, ...names)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid month '))
  await mkdir(at('data'))
  for (const name of files) await copyFile(join(examples, name), at('data', name))
  lab = await launch([], home)
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

async function run(k: number): Promise<string> {
  const before = await runs().count()
  await lab.at('k').fill(String(k))
  await lab.at('run').click()
  await expect.poll(() => runs().count()).toBe(before + 1)
  return (await lab.at('result-inertia').textContent()) ?? ''
}

async function open(name: string): Promise<void> {
  await lab.drop(at('data', name))
  await lab.at('dataset-name').filter({ hasText: name }).waitFor()
}

async function show(name: string): Promise<void> {
  await lab.at('dataset-switch').click()
  await lab.at(`dataset-${name}`).click()
}

const inertia = new Map<string, string>()

it('three files are clustered and saved in one session', async () => {
  for (const [i, name] of files.entries()) {
    await open(name)
    inertia.set(name, await run(3 + i))
  }
  // Of the file that will change, somebody has looked at the profiles.
  await show('wine.csv')
  await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
  await lab.at('view-profiles').click()
  await lab.page.locator('[data-testid=profiles-view]:not([data-result=""])').waitFor()
  await lab.at('view-clusters').click()
  await show('digits.csv')
  await lab.at('dataset-name').filter({ hasText: 'digits.csv' }).waitFor()
  await lab.saveAs(at('study.clab'))
  await lab.page.keyboard.press('Control+s')
  await lab.at('status-bar').filter({ hasText: 'Saved study.clab' }).waitFor()
})

it('a run of it assigns rows on the command line', async () => {
  const cli = resolve(import.meta.dirname, '../../out/main/cli.js')
  const args = ['predict', at('data', 'iris.csv'), '--model', at('study.clab'), '--run', '1', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args])
  expect(JSON.parse(stdout)).toMatchObject({ n: 150, k: 3 })
})

it('the program is killed, and everything comes back', async () => {
  inertia.set('more', await run(6))
  await lab.page.waitForTimeout(600)
  const ended = lab.app.waitForEvent('close')
  lab.app.process().kill('SIGKILL')
  await ended
  lab = await launch([], home)
  await lab.at('dataset-name').filter({ hasText: 'digits.csv' }).waitFor()
  await expect.poll(() => runs().count()).toBe(4)
  await lab.page.keyboard.press('Control+s')
  await lab.at('status-bar').filter({ hasText: 'Saved study.clab' }).waitFor()
  await lab.end()
})

it('elsewhere, with one file moved and one changed, it asks once and shows what there is', async () => {
  await mkdir(at('elsewhere', 'deep', 'down'), { recursive: true })
  await rename(at('study.clab'), at('elsewhere', 'study.clab'))
  await rename(at('data', 'iris.csv'), at('elsewhere', 'deep', 'down', 'flowers.csv'))
  await appendFile(at('data', 'wine.csv'), '\n')
  lab = await launch([], home)
  await lab.answer('Choose a folder')
  await lab.openFrom(at('elsewhere'))
  await lab.drop(at('elsewhere', 'study.clab'))
  await lab.at('dataset-name').filter({ hasText: 'digits.csv' }).waitFor()
  expect(await lab.questions()).toEqual(['1 file was moved'])
  await expect.poll(() => runs().count()).toBe(4)
  await lab
    .at('result-inertia')
    .filter({ hasText: inertia.get('more') ?? 'none' })
    .waitFor()
  expect(await lab.at('banner').textContent()).toContain('wine.csv has changed: the runs are kept')
})

it('the moved file is found by its contents, and its run is whole', async () => {
  await show('flowers.csv')
  await lab
    .at('result-inertia')
    .filter({ hasText: inertia.get('iris.csv') ?? 'none' })
    .waitFor()
  await lab.page.locator('[data-testid=scatter][data-coloured=true]').waitFor()
})

it('code and command line of its run name it where it lies now', async () => {
  const copied = () => lab.app.evaluate(({ clipboard }) => clipboard.readText())
  const now = at('elsewhere', 'deep', 'down', 'flowers.csv')
  await chooseMenu(lab, 'copy-command-line')
  await expect.poll(copied).toContain(now)
  await chooseMenu(lab, 'copy-python')
  await expect.poll(copied).toContain(`PATH = ${JSON.stringify(now)}`)
})

it('the runs of the changed file can be read; another file is refused in one sentence, the earlier one taken', async () => {
  await show('wine.csv')
  await lab.at('absent').waitFor()
  await lab.at('absent-why').filter({ hasText: 'its contents have changed' }).waitFor()
  await lab
    .at('result-inertia')
    .filter({ hasText: inertia.get('wine.csv') ?? 'none' })
    .waitFor()
  expect(await lab.page.locator('[data-cluster]').count()).toBeGreaterThan(3)
  // What was computed of it while it was as it was: means with their spread, quartiles.
  const profiles = lab.at('absent-profiles')
  await profiles
    .getByRole('row', { name: /alcohol/ })
    .filter({ hasText: '13.00' })
    .waitFor()
  expect(await profiles.getByRole('row', { name: /alcohol/ }).textContent()).toMatch(/13\.00\d? ± 0\.81/)
  await lab.at('profile-statistic').selectOption('quartiles')
  await profiles
    .getByRole('row', { name: /alcohol/ })
    .filter({ hasText: '13.05' })
    .waitFor()
  for (const theme of ['light', 'dark'] as const) {
    await lab.at('theme').selectOption(theme)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture(`absent ${theme}`)
  }
  await lab.smallest(() => lab.picture('absent, smallest window'))
  await lab.openFrom(at('data', 'digits.csv'))
  await lab.at('locate').click()
  await lab.at('error-message').filter({ hasText: 'its contents differ' }).waitFor()
  expect(await lab.at('absent').count()).toBe(1)
  await copyFile(join(examples, 'wine.csv'), at('elsewhere', 'old wine.csv'))
  await lab.openFrom(at('elsewhere', 'old wine.csv'))
  await lab.at('locate').click()
  await lab.page.locator('[data-testid=scatter][data-coloured=true]').waitFor()
  await lab
    .at('result-inertia')
    .filter({ hasText: inertia.get('wine.csv') ?? 'none' })
    .waitFor()
})

/** Next month's flowers: columns in another order, two of them far off, one without a width. */
async function nextMonth(): Promise<string> {
  const [header = '', ...rows] = (await readFile(join(examples, 'iris.csv'), 'utf8')).trim().split('\n')
  const turned = (line: string) => line.split(',').toReversed().join(',')
  const far = 'unknown,9.5,12,4,14'
  const lines = [turned(header), ...rows.slice(0, 60).map(turned), far, far, 'unknown,,5,3,6']
  await writeFile(at('next month.csv'), `${lines.join('\n')}\n`)
  return at('next month.csv')
}

it('the rows of a new file are assigned by the run of the moved one, which tells how they differ', async () => {
  await show('flowers.csv')
  await lab.at('dataset-name').filter({ hasText: 'flowers.csv' }).waitFor()
  await lab
    .at('result-inertia')
    .filter({ hasText: inertia.get('iris.csv') ?? 'none' })
    .waitFor()
  await chooseInDialog(lab, await nextMonth())
  await chooseMenu(lab, 'assign-rows')
  await lab.at('prediction-receipt').waitFor()
  expect(await lab.at('prediction-receipt').textContent()).toBe(
    '62 rows assigned; 1 row left out for missing values (petal_width: 1).',
  )
  await lab.saveAs(at('next month assigned.csv'))
  await lab.at('prediction-save').click()
  await lab.page.locator('.prediction-saved', { hasText: 'Saved next month assigned.csv' }).waitFor()
  const [header, ...rows] = (await readFile(at('next month assigned.csv'), 'utf8')).trim().split('\n')
  expect(header).toMatch(/,cluster,distance$/)
  expect(rows).toHaveLength(63)
  await lab.at('prediction-close').click()
  await lab.at('prediction').waitFor({ state: 'detached' })
})

/** Chooses from the export menu of the run on screen. */
async function exported(what: string, name: string): Promise<string> {
  await lab.saveAs(at(name))
  await lab.at('export-menu').click()
  await lab.at(`export-${what}`).click()
  await lab
    .at('status-bar')
    .filter({ hasText: `Saved ${name}` })
    .waitFor()
  return readFile(at(name), 'utf8')
}

it('its report is one page that says what it was made of, and runs nothing', async () => {
  const page = await exported('report', 'flowers.html')
  // As it was called when it was clustered.
  expect(page).toContain('iris.csv')
  expect(page).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;/)
  expect(page).not.toMatch(/<script|\ssrc="http/)
})

it('it is verified, and so is its run.json where a colleague has the data under another name', async () => {
  await chooseMenu(lab, 'verify')
  await lab.at('verdict').filter({ hasText: 'Identical' }).waitFor()
  await lab.at('verify-close').click()
  await lab.at('result-verified').filter({ hasText: 'identical' }).waitFor()
  await exported('run', 'run.json')
  await mkdir(at('colleague'))
  await rename(at('run.json'), at('colleague', 'run.json'))
  await copyFile(join(examples, 'iris.csv'), at('colleague', 'as received.csv'))
  const cli = resolve(import.meta.dirname, '../../out/main/cli.js')
  const { stdout } = await promisify(execFile)(process.execPath, [
    cli,
    'verify',
    at('colleague', 'run.json'),
    '--json',
  ])
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'identical' })
})

it('what was done is kept with the rest', async () => {
  await lab.page.keyboard.press('Control+s')
  await lab.at('status-bar').filter({ hasText: 'Saved study.clab' }).waitFor()
})
