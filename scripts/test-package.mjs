#!/usr/bin/env node
// Installs the Debian package on a bare Debian without a network, uses it as an ordinary user, installs a newer
// version over it, and removes it again:
//   npm run package -- --deb && npm run test:package [-- FILE.deb] [--release trixie]
// Takes root, debootstrap, Xvfb and xdotool, and once a Debian mirror; a few minutes. The screenshot lies beside the package.
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { callersFolder } from './lib/become.mjs'
import { SetupFailure, runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { freshTree, hindrance, makeBase, usualRelease } from './lib/package-test/base.mjs'
import {
  checkCommandLine,
  checkInstalled,
  checkProfile,
  checkRemoved,
  checkSandbox,
  Findings,
  listing,
} from './lib/package-test/checks.mjs'
import { Machine, startDisplay } from './lib/package-test/machine.mjs'
import { checkTraces, checkUpgrade, leaveTraces } from './lib/package-test/upgrade.mjs'
import { paths } from './lib/project.mjs'
import { attach as runHere } from './lib/run.mjs'

const program = '/usr/lib/centroid-lab/centroid-lab-window'

/** With --inside this is the second start of this script, inside namespaces of its own. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { inside: { type: 'boolean' }, release: { type: 'string', default: usualRelease } },
})

await runProgram(async () => {
  if (values.inside) return test(positionals[0], positionals[1])
  const reason = hindrance()
  if (reason !== null) {
    const line = '*'.repeat(80)
    console.error(`${line}\nSKIPPED: the package was NOT tested, because ${reason}.\n${line}`)
    return 0
  }
  const deb = packageToTest()
  const tree = await freshTree(await makeBase(deb, values.release))
  const again = [hostNode, process.argv[1], '--inside', deb, tree].map((word) => `'${word}'`).join(' ')
  return runHere('unshare', ['--net', '--mount', 'sh', '-c', `ip link set lo up && exec ${again}`])
})

function packageToTest() {
  if (positionals.length > 0) return resolve(callersFolder(), positionals[0])
  const there = existsSync(paths.dist) ? readdirSync(paths.dist).filter((name) => name.endsWith('.deb')) : []
  if (there.length === 1) return join(paths.dist, there[0])
  throw new SetupFailure(
    'There is no package (or more than one) in dist/: run npm run package -- --deb, or name one.',
  )
}

/**
 * @param {string} deb
 * @param {string} tree
 */
async function test(deb, tree) {
  const findings = new Findings()
  const machine = new Machine(tree)
  machine.start()
  const before = listing(tree)
  copyFileSync(deb, machine.at(`/tmp/${basename(deb)}`))
  const installed = machine.asRoot(['apt-get', '-y', 'install', `/tmp/${basename(deb)}`])
  findings.check(
    'apt-get installs it without a network',
    installed.status === 0,
    installed.stdout + installed.stderr,
  )
  if (installed.status !== 0) return 1
  checkInstalled(machine, findings)
  checkProfile(machine, findings)
  checkCommandLine(machine, findings)
  const display = await startDisplay()
  try {
    await useWindow(machine, findings, deb.replace(/\.deb$/, '.png'))
    await checkUpgrade(machine, findings, deb)
    await inWindow(machine, (page) => checkTraces(page, findings), 'dataset-name')
    const { checkSession, sessionOf } = await import('./lib/package-test/window.mjs')
    await inWindow(machine, (page) => checkSession(page, findings), 'dataset-name', [sessionOf(machine)])
  } finally {
    display.kill()
  }
  const removed = machine.asRoot(['apt-get', '-y', 'remove', 'centroid-lab'])
  findings.check('apt-get removes it', removed.status === 0, removed.stdout + removed.stderr)
  checkRemoved(before, listing(tree), findings)
  const kept = readdirSync(machine.at(`/home/${machine.user}`))
  const wanted = ['.config', 'iris clusters.csv']
  findings.check(
    "the user's files stay",
    wanted.every((name) => kept.includes(name)),
    kept,
  )
  console.log(findings.failed === 0 ? 'The package is good.' : `${findings.failed} checks failed.`)
  return findings.failed === 0 ? 0 : 1
}

/**
 * Opens the window, and ends it by force: what was on screen has to be there again.
 * @param {Machine} machine
 * @param {(page: import('playwright-core').Page, window: import('node:child_process').ChildProcess) => Promise<void>} use
 * @param {string} [first] test id of what is waited for
 * @param {readonly string[]} [opened] files that it is started with, as a double click does
 */
async function inWindow(machine, use, first, opened = []) {
  const { attach, attachable } = await import('./lib/package-test/window.mjs')
  const window = machine.show([program, ...attachable, ...opened])
  try {
    const { browser, page } = await attach(window, first)
    await use(page, window)
    await browser.close()
  } finally {
    window.kill('SIGKILL')
  }
}

/**
 * @param {Machine} machine
 * @param {Findings} findings
 * @param {string} picture
 */
async function useWindow(machine, findings, picture) {
  const { checkWindow } = await import('./lib/package-test/window.mjs')
  await inWindow(machine, async (page, window) => {
    checkSandbox(window.pid ?? 0, findings)
    const variables = ['ELECTRON_RUN_AS_NODE=1', 'NODE_OPTIONS=--version']
    const asNode = machine.asUser(['env', ...variables, program, '-p', '40+2'])
    findings.check('it cannot be run as Node', !asNode.stdout.includes('42'), asNode.stdout)
    await checkWindow(machine, page, findings)
    await page.screenshot({ path: picture })
    console.log(`       ${picture}`)
    await leaveTraces(page, machine)
  })
}
