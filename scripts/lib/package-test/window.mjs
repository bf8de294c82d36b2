import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { SetupFailure } from '../failure.mjs'
import { xdotool } from './machine.mjs'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./machine.mjs').Machine} Machine */
/** @typedef {import('./checks.mjs').Findings} Findings */

const port = 9377
const timeout = 60_000

/** Switches of the window: the packaged program can be attached to only by who starts it so. */
export const attachable = [`--remote-debugging-port=${port}`]

/**
 * Waits for the window's page.
 * @param {import('node:child_process').ChildProcess} window
 * @param {string} [first] test id of what shows that it is ready
 * @throws {SetupFailure} with what the window said, when it ends
 */
export async function attach(window, first = 'drop-zone') {
  const until = Date.now() + timeout
  let said = ''
  window.stderr?.on('data', (/** @type {Buffer} */ chunk) => (said += chunk.toString()))
  for (;;) {
    try {
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
      const page = browser.contexts()[0].pages()[0]
      await page.getByTestId(first).waitFor({ timeout: timeout })
      return { browser, page }
    } catch (error) {
      if (window.exitCode !== null || window.signalCode !== null)
        throw new SetupFailure('The installed window ended at once.', said)
      if (Date.now() > until) throw error
      await delay(500)
    }
  }
}

/**
 * Drop, cluster, export, as a person does it.
 * @param {Machine} machine
 * @param {Page} page
 * @param {Findings} findings
 */
export async function checkWindow(machine, page, findings) {
  const at = (/** @type {string} */ id) => page.getByTestId(id)
  await drop(page, '/usr/lib/centroid-lab/resources/examples/iris.csv')
  await at('dataset-name').filter({ hasText: 'iris.csv' }).waitFor({ timeout: timeout })
  const shape = await at('dataset-shape').textContent()
  findings.check('a dropped CSV is loaded', /150\D+4/.test(shape ?? ''), shape)
  if (!(await at('init').isVisible())) await at('fold-start').click()
  await at('init').selectOption('first-k')
  await at('stop-rule').selectOption('labels')
  await at('run').click()
  const inertia = at('result-inertia').filter({ hasText: '78.86' })
  await inertia.waitFor({ timeout: timeout }).catch(() => undefined)
  findings.check('it is clustered', (await inertia.count()) === 1, await page.innerText('body'))
  const file = `/home/${machine.user}/iris clusters.csv`
  await at('export-menu').click()
  await at('export-labels').click()
  await answerDialog(file)
  await at('status-bar')
    .filter({ hasText: 'iris clusters.csv' })
    .waitFor({ timeout: timeout })
    .catch(() => undefined)
  const rows = existsSync(machine.at(file)) ? readFileSync(machine.at(file), 'utf8').trim().split('\n') : []
  findings.check(
    'its labelled rows are exported through the save dialog',
    rows.length === 151,
    `${rows.length} rows`,
  )
  await page.keyboard.press('Control+s')
  await answerDialog(sessionOf(machine))
  await at('status-bar')
    .filter({ hasText: 'iris.clab' })
    .waitFor({ timeout: timeout })
    .catch(() => undefined)
  findings.check(
    'the session is saved',
    existsSync(machine.at(sessionOf(machine))),
    await at('status-bar').textContent(),
  )
}

/**
 * The session that was saved.
 * @param {Machine} machine
 */
export const sessionOf = (machine) => `/home/${machine.user}/iris.clab`

/**
 * What a double click on a session shows.
 * @param {Page} page
 * @param {Findings} findings
 */
export async function checkSession(page, findings) {
  const inertia = page.getByTestId('result-inertia').filter({ hasText: '78.86' })
  await inertia.waitFor({ timeout: timeout }).catch(() => undefined)
  findings.check(
    'a .clab that is opened shows its data and its run',
    (await inertia.count()) === 1,
    await page.innerText('body'),
  )
}

/**
 * Trusted drag events, as a file manager sends them.
 * @param {Page} page
 * @param {string} path
 */
async function drop(page, path) {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
    await session.send('Input.dispatchDragEvent', { type, x: 500, y: 400, data })
  }
}

/**
 * Types a path into the desktop's save dialog.
 * @param {string} path
 */
async function answerDialog(path) {
  // Dialogs are GTK's, which names them by the program; the window itself carries the product's name.
  const find = ['search', '--onlyvisible', '--class', 'centroid-lab-window']
  const until = Date.now() + timeout
  let dialog = ''
  while (dialog === '' && Date.now() < until) {
    await delay(300)
    dialog = xdotool(find).stdout.trim().split('\n').at(-1) ?? ''
  }
  xdotool(['windowfocus', '--sync', dialog])
  await delay(500)
  xdotool(['key', '--clearmodifiers', 'ctrl+a'])
  xdotool(['type', '--delay', '20', path])
  xdotool(['key', 'Return'])
}
