#!/usr/bin/env node
// Start-up and footprint: the window against an empty Electron window, in turns, on this machine. Not part of any check: a busy
// machine moves every figure, so only ratios of pairs are worth reading.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { become } from './lib/become.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at, hasDisplay, paths } from './lib/project.mjs'
import { capture } from './lib/run.mjs'
import { electronEnvironment } from './lib/sandbox.mjs'
import { setUpWindow } from './lib/setup.mjs'
import { startWindow } from './lib/startup-window.mjs'
import { textTable } from './lib/text-table.mjs'

const kinds = /** @type {const} */ (['program', 'empty'])
const mebibyte = 2 ** 20
/** What is started is still busy with itself for a while. */
const startupMs = 5000
/** Compilers and collectors have done what they put off: the last collection comes up to a minute after the start. */
const idleMs = 90_000

const { values: options } = parseArgs({
  options: {
    pairs: { type: 'string', default: '7' },
    idle: { type: 'string', default: '20' },
    rows: { type: 'string', default: '1000000' },
    columns: { type: 'string', default: '8' },
  },
})

await runProgram(async () => {
  await setUpWindow({ headless: true })
  if (!hasDisplay()) {
    const again = [process.execPath, at('scripts', 'bench-startup.mjs'), ...process.argv.slice(2)]
    return become('xvfb-run', ['-a', '-s', '-screen 0 1600x1000x24', ...again], electronEnvironment())
  }
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-startup-'))
  try {
    const starts = await compareStarts(folder)
    const idle = await measureIdle(folder)
    const memory = await measureMemory(folder)
    console.log(textTable(['what', 'program', 'empty window', 'ratio', 'goal'], [...starts, idle, ...memory]))
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

/**
 * Launch to usable window, in turns.
 * @param {string} folder
 */
async function compareStarts(folder) {
  /** @type {{ program: number, empty: number }[]} */
  const pairs = []
  // The first pair warms the caches of the disk.
  for (let pair = 0; pair <= Number(options.pairs); pair++) {
    const times = { program: 0, empty: 0 }
    const order = pair % 2 === 0 ? kinds : kinds.toReversed()
    for (const kind of order) {
      const window = await startWindow(folder, kind)
      times[kind] = window.usableMs
      await window.close()
    }
    if (pair > 0) pairs.push(times)
    console.error(`pair ${pair}: program ${times.program.toFixed(0)} ms, empty ${times.empty.toFixed(0)} ms`)
  }
  const ratio = median(pairs.map(({ program, empty }) => program / empty))
  const of = (/** @type {'program' | 'empty'} */ kind) => median(pairs.map((pair) => pair[kind])).toFixed(0)
  return [['launch to usable window, ms', of('program'), of('empty'), ratio.toFixed(2), '1.30']]
}

/** @param {string} folder */
async function measureIdle(folder) {
  const used = { program: 0, empty: 0 }
  for (const kind of kinds) {
    const window = await startWindow(folder, kind)
    await delay(idleMs)
    const before = window.processorMs()
    await delay(Number(options.idle) * 1000)
    used[kind] = window.processorMs() - before
    await window.close()
  }
  const of = (/** @type {number} */ ms) => ((ms / (Number(options.idle) * 1000)) * 100).toFixed(3)
  return ['idle processor, % of a core', of(used.program), of(used.empty), '-', '0']
}

/** @param {string} folder */
async function measureMemory(folder) {
  const { rows, columns } = options
  const data = join(folder, 'large.csv')
  const cli = [paths.cli, 'generate', 'blobs', '-n', rows, '-d', columns, '-k', '8', '-o', data]
  await capture(hostNode, cli, { failure: 'The data could not be generated.' })
  const empty = await idleBytes(folder, 'empty')
  const bare = await idleBytes(folder, 'program')
  const loaded = await idleBytes(folder, 'program', data)
  const dataset = Number(rows) * Number(columns) * Float32Array.BYTES_PER_ELEMENT
  const inMebibytes = (/** @type {number} */ bytes) => (bytes / mebibyte).toFixed(0)
  const line = (/** @type {string} */ name, /** @type {number} */ bytes, /** @type {number} */ against) => [
    name,
    inMebibytes(bytes),
    inMebibytes(against),
    (bytes / against).toFixed(2),
  ]
  return [
    [...line('memory with nothing open, MiB', bare, empty), '-'],
    [
      ...line(`memory with ${rows} x ${columns}, against dataset + empty, MiB`, loaded, dataset + empty),
      '1.50',
    ],
    [...line('the same against dataset + program with nothing open, MiB', loaded, dataset + bare), '-'],
  ]
}

/**
 * @param {string} folder
 * @param {'program' | 'empty'} kind
 * @param {string} [file]
 */
async function idleBytes(folder, kind, file) {
  const window = await startWindow(folder, kind, file)
  await delay(startupMs)
  const bytes = window.memoryBytes()
  console.error(`${kind}${file === undefined ? '' : ' with data'}:`)
  for (const { name, bytes: each } of window.memoryOfEach())
    console.error(`  ${name} ${(each / mebibyte).toFixed(0)} MiB`)
  await window.close()
  return bytes
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
