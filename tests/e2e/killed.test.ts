import { existsSync } from 'node:fs'
import {
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { isTraced, launch, type Lab } from './harness'

let home: string
let lab: Lab
let inertia: string | null

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid killed '))
  lab = await launch([], home)
  await lab.openExample('iris.csv')
  for (const [k, expected] of [
    ['4', /^\D*57\./],
    ['3', /^\D*78\.8/],
  ] as const) {
    await lab.at('k').fill(k)
    await lab.at('run').click()
    await lab.at('result-inertia').filter({ hasText: expected }).waitFor()
  }
  inertia = await lab.at('result-inertia').textContent()
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

/** What stands in the window, read past Playwright, which lets go of a page that crashed. */
function texts(...testIds: readonly string[]): Promise<readonly (string | null)[]> {
  const script = `[${testIds.map((id) => `document.querySelector('[data-testid=${id}]')?.textContent ?? null`).join()}]`
  const read = lab.app.evaluate(
    ({ BrowserWindow }, code) =>
      BrowserWindow.getAllWindows()[0].webContents.executeJavaScript(code) as Promise<(string | null)[]>,
    script,
  )
  // A page that goes away meanwhile answers nothing.
  return Promise.race([read.catch(() => []), delay(1000, [])])
}

/** Scripts for the window, past Playwright too. */
async function inPage(...scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    await lab.app.evaluate(
      ({ BrowserWindow }, code) =>
        BrowserWindow.getAllWindows()[0].webContents.executeJavaScript(`${code}; 0`),
      script,
    )
  }
}

/** Ends the whole program as the system does when memory runs out. */
async function killMain(): Promise<void> {
  const ended = lab.app.waitForEvent('close')
  lab.app.process().kill('SIGKILL')
  await ended
}

describe('what was on screen comes back', () => {
  it('after the page was killed', async () => {
    await lab.app.evaluate(({ BrowserWindow }) => {
      process.kill(BrowserWindow.getAllWindows()[0].webContents.getOSProcessId(), 'SIGKILL')
    })
    await expect
      .poll(() => texts('dataset-name', 'result-inertia'), { timeout: 20_000 })
      .toEqual([expect.stringContaining('iris.csv'), inertia])
  })

  it('after the program was killed: the file, its results, a run to go on with, and a sentence', async () => {
    const click = (id: string) => `document.querySelector('[data-testid=${id}]').click()`
    const type = (id: string, value: string) =>
      `(box => { box.value = '${value}'; box.dispatchEvent(new Event('input')); box.dispatchEvent(new Event('change')) })(document.querySelector('[data-testid=${id}]'))`
    await inPage(type('stop-rule', 'none'), type('max-iterations', '100000000'), click('run'))
    // Longer than it takes until the run is written down for the first time.
    await expect.poll(async () => (await texts('elapsed'))[0], { timeout: 15_000 }).toMatch(/^[3-9]\.\d+ s/)
    const socket = dirname(await readlink(join(home, 'user', 'SingletonSocket')))
    await killMain()
    expect(existsSync(socket)).toBe(true)
    lab = await launch([], home)
    await lab.at('dataset-name').filter({ hasText: 'iris.csv' }).waitFor()
    // What the killed start left in the folder for temporary files.
    await expect.poll(() => existsSync(socket)).toBe(false)
    await expect.poll(() => lab.at('result-inertia').textContent()).toBe(inertia)
    expect(await lab.at('banner').textContent()).toContain('iris.csv is open again with 2 results')
    await expect
      .poll(() => lab.at('error-message').first().textContent())
      .toMatch(/was cut off .* go on with/)
    await lab.picture('restored')
    await lab.at('run-go-on').click()
    await lab.at('cancel').click()
    // The arrays are there too.
    await lab.saveAs(join(home, 'labels.csv'))
    await lab.at('export-menu').click()
    await lab.at('export-labels').click()
    await lab.at('status-bar').filter({ hasText: 'labels.csv' }).waitFor()
  })

  // Crashpad reads what crashed by ptrace, which a trace has for itself.
  it.skipIf(isTraced)('and a crash leaves a report on this machine', async () => {
    await lab.app.evaluate(({ BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]
      process.kill(webContents.getOSProcessId(), 'SIGSEGV')
    })
    const folder = await lab.app.evaluate(({ app }) => app.getPath('crashDumps'))
    expect(folder.startsWith(join(home, 'user'))).toBe(true)
    const reports = async () =>
      (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.dmp'))
    await expect.poll(reports, { timeout: 10_000 }).toHaveLength(1)
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('is kept and offered after %s', async (signal) => {
    const ended = lab.app.waitForEvent('close')
    lab.app.process().kill(signal)
    await ended
    lab = await launch([], home)
    await lab.at('kept-iris.csv').filter({ hasText: '2 runs' }).waitFor()
    expect(await lab.at('banner').count()).toBe(0)
  })

  it('is offered after its window was closed, beside what was opened since, and goes on', async () => {
    await lab.openExample('wine.csv')
    await lab.end()
    lab = await launch([], home)
    await lab.at('kept-iris.csv').filter({ hasText: '2 runs' }).waitFor()
    // Of a file without results there is nothing to go on with.
    expect(await lab.at('kept-wine.csv').count()).toBe(0)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('kept session')
    await lab.smallest(() => lab.picture('kept session, smallest window'))
    await lab.at('kept-iris.csv').click()
    await lab.at('dataset-name').filter({ hasText: 'iris.csv' }).waitFor()
    await expect.poll(() => lab.at('result-inertia').textContent()).toBe(inertia)
    await lab.at('status-bar').filter({ hasText: 'iris.csv is open again with 2 results' }).waitFor()
  })

  it('goes at the word of the person, and not before it is said twice', async () => {
    const results = async () =>
      (await readdir(join(home, 'user', 'results'))).filter((name) => name.endsWith('.run'))
    expect(await results()).toHaveLength(2)
    await lab.end()
    lab = await launch([], home)
    await lab.at('discard-iris.csv').click()
    expect(await results()).toHaveLength(2)
    await lab.at('discard-iris.csv').filter({ hasText: 'Discard permanently' }).click()
    await lab.at('kept-iris.csv').waitFor({ state: 'detached' })
    expect(await results()).toEqual([])
    await lab.end()
  })

  it('nobody else on the machine can read any of it', async () => {
    const modes = await Promise.all(
      ['', 'settings.json', 'session.json', 'window.json', 'results', 'Crashpad'].map(async (name) => {
        const { mode } = await stat(join(home, 'user', name))
        return `${name} ${(mode & 0o077).toString(8)}`
      }),
    )
    expect(modes.filter((each) => !each.endsWith(' 0'))).toEqual([])
  })

  it('damaged settings are reported once, kept aside, and the usual ones hold', async () => {
    await writeFile(join(home, 'user', 'settings.json'), '{"theme": "dark", "stepC')
    lab = await launch([], home)
    await lab.at('banner').filter({ hasText: 'settings.json.damaged' }).waitFor()
    await lab.end()
    lab = await launch([], home)
    await lab.at('drop-zone').waitFor()
    expect(await lab.at('banner').count()).toBe(0)
  })

  it('a list of recent files that is far too large delays no start', async () => {
    await lab.end()
    const recent = join(home, 'user', 'recent.json')
    await writeFile(recent, '["')
    await truncate(recent, 2 ** 36)
    const began = performance.now()
    lab = await launch([], home)
    expect(performance.now() - began).toBeLessThan(20_000)
    await lab.at('banner').filter({ hasText: 'recent files could not be read (it is larger than' }).waitFor()
  })

  // Whatever is written there answers that the disk is full.
  it.skipIf(!existsSync('/dev/full'))(
    'a full disk is told once, and costs no settings that were there',
    async () => {
      await lab.at('theme').selectOption('dark')
      await expect.poll(() => readFile(join(home, 'user', 'settings.json'), 'utf8')).toContain('"dark"')
      await lab.page.locator('[data-testid=banner] button').click()
      await symlink('/dev/full', join(home, 'user', 'settings.json.new'))
      await lab.at('theme').selectOption('light')
      await lab.at('banner').filter({ hasText: 'because the disk is full' }).waitFor()
      await lab.picture('full disk')
      expect(await readFile(join(home, 'user', 'settings.json'), 'utf8')).toContain('"dark"')
      await lab.page.locator('[data-testid=banner] button').click()
      await symlink('/dev/full', join(home, 'user', 'settings.json.new'))
      await lab.at('theme').selectOption('system')
      await lab.page.waitForTimeout(300)
      expect(await lab.at('banner').count()).toBe(0)
    },
  )
})
