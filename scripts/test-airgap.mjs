#!/usr/bin/env node
// The proof that the program needs and reaches no network: the end-to-end suite in a network namespace of its own, that has no
// interface but loopback (through which the test itself drives the window), and the program under a trace of system calls.
// Arguments go to the test runner: files, -t NAME. Nothing may be sent outside, and no socket may even be given an address outside; but
// in the test whose page is made to attack, where peer connections and name prefetches let Chromium ask the kernel for its own address.
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
import { textTable } from './lib/text-table.mjs'
import { readTraces, writeStarter } from './lib/traced-program.mjs'

/** As `automake` has it: neither passed nor failed. */
const skipped = 77
/** A trace slows every start down. */
const slow = ['--testTimeout=300000', '--hookTimeout=300000']
const maxLines = 40
/** Its page tries every way out that there is. */
const attacked = 'security.test.ts'
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
    return report(status, readTraces(folder))
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
  const vitest = [at('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'e2e', ...slow]
  const display = ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24']
  const suite = [...display, hostNode, ...vitest, ...process.argv.slice(2)]
  const [command, ...args] = [...namespace, quiet, 'sh', ...suite]
  return attach(command, args, { env: { ...electronEnvironment(), CENTROID_LAB_E2E_PROGRAM: program } })
}

/**
 * @param {number} status
 * @param {readonly import('./lib/traced-program.mjs').FileCalls[]} files
 */
function report(status, files) {
  const rows = files.map(({ file, starts, local, outwards, unsent }) =>
    [file, starts, local, outwards.length, unsent.length].map(String),
  )
  const header = ['test file', 'starts', 'calls inside', 'calls outside', 'addresses without a packet']
  console.log(`\n${textTable(header, rows)}\n`)
  const bad = files.flatMap(({ file, outwards, unsent }) =>
    [...outwards, ...(file === attacked ? [] : unsent)].map((line) => `${file}: ${line}`),
  )
  for (const line of bad.slice(0, maxLines)) console.error(line)
  const starts = files.reduce((sum, file) => sum + file.starts, 0)
  console.log(
    `${starts} starts of the program by ${files.length} test files: ${bad.length} calls outside local sockets.`,
  )
  if (starts === 0) console.error('No start was traced, so nothing is proven.')
  return status === 0 && starts > 0 && bad.length === 0 ? 0 : 1
}
