#!/usr/bin/env node
// The proof that the program needs and reaches no network: the end-to-end suite in a network namespace of its own, that has no
// interface but loopback (through which the test itself drives the window), and the program under a trace of system calls.
// Arguments go to the test runner: files, -t NAME. Left out is the test whose page is made to attack: what comes of that is seen by
// its own witness, while this here is about what the program does by itself.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { electronProgram } from './lib/electron-runtime.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at } from './lib/project.mjs'
import { attach, firstLine } from './lib/run.mjs'
import { electronEnvironment } from './lib/sandbox.mjs'
import { setUpWindow } from './lib/setup.mjs'
import { readTraces, writeStarter } from './lib/traced-program.mjs'

/** As `automake` has it: neither passed nor failed. */
const skipped = 77
/** A trace slows every start down. */
const slow = ['--testTimeout=300000', '--hookTimeout=300000']
const attacks = '--exclude=tests/e2e/security.test.ts'
const namespace = ['unshare', ...(process.getuid?.() === 0 ? [] : ['-r']), '-n', 'sh', '-c']
const quiet = 'ip link set lo up && test -z "$(ip route)" && exec "$@"'

await runProgram(async () => {
  const lacking = whatLacks()
  if (lacking !== null) {
    console.error(`SKIPPED, NOTHING IS PROVEN: ${lacking}.`)
    return skipped
  }
  await setUpWindow({ headless: true })
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-airgap-'))
  try {
    const status = await runSuite(writeStarter(folder, electronProgram))
    return tell(status, readTraces(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** @returns {string | null} a sentence's beginning */
function whatLacks() {
  for (const tool of ['unshare', 'strace', 'ip', 'xvfb-run']) {
    if (firstLine('sh', ['-c', `command -v ${tool}`]) === null) return `${tool} is not installed`
  }
  const [command, ...args] = [...namespace, 'ip link set lo up && echo yes']
  return firstLine(command, args) === 'yes' ? null : 'this machine allows no network namespaces'
}

/** @param {string} program */
function runSuite(program) {
  const vitest = [at('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'e2e', attacks, ...slow]
  const display = ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24']
  const suite = [...display, hostNode, ...vitest, ...process.argv.slice(2)]
  const [command, ...args] = [...namespace, quiet, 'sh', ...suite]
  return attach(command, args, { env: { ...electronEnvironment(), CENTROID_LAB_E2E_PROGRAM: program } })
}

/**
 * @param {number} status
 * @param {import('./lib/traced-program.mjs').Traces} traces
 */
function tell(status, { starts, byFamily, outwards }) {
  const counts = Object.entries(byFamily).map(([family, count]) => `${count} ${family}`)
  console.log(`\n${starts} starts of the program traced; addresses named: ${counts.join(', ') || 'none'}.`)
  for (const line of outwards.slice(0, 20)) console.error(line)
  console.log(`${outwards.length} calls outside local sockets.`)
  if (starts === 0) console.error('No start was traced, so nothing is proven.')
  return status === 0 && starts > 0 && outwards.length === 0 ? 0 : 1
}
