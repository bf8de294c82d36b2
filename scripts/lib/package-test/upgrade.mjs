import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from '../run.mjs'
import { checkInstalled, checkProfile } from './checks.mjs'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./machine.mjs').Machine} Machine */
/** @typedef {import('./checks.mjs').Findings} Findings */

const examples = 'usr/lib/centroid-lab/resources/examples'
const [gone, added] = ['wine.csv', 'wine of the next version.csv']
const nextVersion = '99.0.0'
const timeout = 60_000

/**
 * What is to be found again after the upgrade.
 * @param {Page} page
 * @param {Machine} machine
 */
export async function leaveTraces(page, machine) {
  await page.getByTestId('theme').selectOption('dark')
  const until = Date.now() + timeout
  while (!isSaved(machine) && Date.now() < until) await page.waitForTimeout(200)
}

/** @param {Machine} machine */
function isSaved(machine) {
  const files = [...userFiles(machine).keys()].filter((path) => path.endsWith('settings.json'))
  return files.some((path) => readFileSync(path, 'utf8').includes('"dark"'))
}

/**
 * Installs a newer version over the one that was used.
 * @param {Machine} machine
 * @param {Findings} findings
 * @param {string} deb
 */
export async function checkUpgrade(machine, findings, deb) {
  await nextPackage(deb, machine.at('/tmp/next'))
  const before = userFiles(machine)
  const installed = machine.asRoot(['apt-get', '-y', 'install', '/tmp/next.deb'])
  const status = machine.asRoot(['dpkg-query', '-W', '-f', '${Version} ${db:Status-Status}', 'centroid-lab'])
  findings.check(
    'a newer version installs over it',
    installed.status === 0 && status.stdout === `${nextVersion} installed`,
    installed.stdout + installed.stderr + status.stdout,
  )
  const after = userFiles(machine)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  )
  findings.check("... and touches none of the user's files", before.size > 2 && changed.length === 0, changed)
  findings.check(
    '... and leaves nothing of the older one',
    existsSync(machine.at(join(examples, added))) && !existsSync(machine.at(join(examples, gone))),
    readdirSync(machine.at(examples)),
  )
  checkInstalled(machine, findings)
  checkProfile(machine, findings)
}

/**
 * The window of the newer version.
 * @param {Page} page
 * @param {Findings} findings
 */
export async function checkTraces(page, findings) {
  const at = (/** @type {string} */ id) => page.getByTestId(id)
  const inertia = at('result-inertia').filter({ hasText: '78.86' })
  await inertia.waitFor({ timeout: timeout }).catch(() => undefined)
  const name = await at('dataset-name')
    .textContent({ timeout: 1000 })
    .catch(() => null)
  findings.check(
    'what was on screen comes back in the newer version',
    name?.includes('iris.csv') && (await inertia.count()) === 1,
    await page.innerText('body'),
  )
  const theme = await at('theme').inputValue()
  findings.check('... and the settings are as they were', theme === 'dark', theme)
}

/**
 * The same package with a higher version, one file less and one more.
 * @param {string} deb
 * @param {string} folder to work in; the package lies beside it
 */
async function nextPackage(deb, folder) {
  await capture('dpkg-deb', ['-R', deb, folder], { failure: `${deb} could not be unpacked.` })
  const control = join(folder, 'DEBIAN', 'control')
  const text = readFileSync(control, 'utf8')
  writeFileSync(control, text.replace(/^Version: .*$/m, `Version: ${nextVersion}`))
  renameSync(join(folder, examples, gone), join(folder, examples, added))
  await capture('dpkg-deb', ['--root-owner-group', '-Znone', '--build', folder, `${folder}.deb`], {
    failure: `${folder}.deb could not be written.`,
  })
  rmSync(folder, { recursive: true })
}

/**
 * Every file of the user's, with what is in it.
 * @param {Machine} machine
 * @returns {Map<string, string>}
 */
function userFiles(machine) {
  const home = machine.at(`/home/${machine.user}`)
  const paths = readdirSync(home, { recursive: true }).map((name) => join(home, String(name)))
  const files = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  return new Map(files.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]))
}
