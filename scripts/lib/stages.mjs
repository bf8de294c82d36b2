import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from './fingerprint.mjs'
import { hostNode } from './host-node.mjs'
import { at, hasDisplay, paths } from './project.mjs'
import { attach } from './run.mjs'
import { electronEnvironment } from './sandbox.mjs'

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Outcome
 * @typedef {{name: string, run: () => Promise<Outcome>}} Stage
 */

/** A stage that hangs is ended; the whole must stay under 20 minutes on two cores. */
const patienceMinutes = 10
const reports = join(paths.runtime, 'test-reports')
const nativeTests = at('.native', 'build', 'CTestTestfile.cmake')

/**
 * The stages, in the order of their cost. To be asked for when the set-up is done.
 * @returns {Stage[]}
 */
export const stages = () => [
  check(
    'type check, engine and main',
    ['typescript', 'bin', 'tsc'],
    ['--noEmit', '-p', 'tsconfig.node.json'],
  ),
  check('type check, window', ['vue-tsc', 'bin', 'vue-tsc.js'], ['--noEmit', '-p', 'tsconfig.web.json']),
  check('lint', ['eslint', 'bin', 'eslint.js'], ['.']),
  check('format', ['prettier', 'bin', 'prettier.cjs'], ['--check', '.']),
  {
    name: 'variant index',
    run: () => one(hostNode, [at('scripts', 'generate-variant-index.mjs'), '--check']),
  },
  ...(existsSync(nativeTests) ? [{ name: 'native tests', run: native }] : []),
  suite('unit'),
  suite('renderer'),
  suite('parity'),
  suite('e2e'),
]

/**
 * A tool of node_modules that passes or fails as a whole.
 * @param {string} name
 * @param {readonly string[]} tool path below node_modules
 * @param {readonly string[]} args
 * @returns {Stage}
 */
function check(name, tool, args) {
  return { name, run: () => one(hostNode, [at('node_modules', ...tool), ...args]) }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<Outcome>}
 */
async function one(command, args) {
  const status = await attach(command, args, { minutes: patienceMinutes })
  return status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/**
 * A suite of vitest.config.ts, run by the Node that runs the engines. The end-to-end suite gets a display of its own where
 * there is none.
 * @param {string} project
 * @returns {Stage}
 */
function suite(project) {
  return {
    name: project,
    run: async () => {
      const report = join(reports, `${project}.json`)
      mkdirSync(reports, { recursive: true })
      rmSync(report, { force: true })
      const vitest = [at('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', project]
      const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const [command, ...args] = [...displayFor(project), hostNode, ...vitest, ...output]
      const status = await attach(command, args, { env: electronEnvironment(), minutes: patienceMinutes })
      return countVitest(readText(report), status)
    },
  }
}

/** @param {string} project */
function displayFor(project) {
  if (project !== 'e2e' || hasDisplay()) return []
  return ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24']
}

/**
 * Counts out of vitest's JSON report. A run that ends badly without a failed test (a file that cannot be
 * loaded, an error outside of tests, no whole report) counts as one failure, and so does one without any test.
 * @param {string | null} text
 * @param {number} status exit status of vitest
 * @returns {Outcome}
 */
export function countVitest(text, status) {
  const {
    numPassedTests: passed = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
  } = parse(text)
  const isBad = status !== 0 || passed + numFailedTests === 0
  const failed = isBad && numFailedTests === 0 ? 1 : numFailedTests
  return { passed, failed, skipped: numPendingTests + numTodoTests }
}

/**
 * @param {string | null} text
 * @returns {Record<string, number>}
 */
function parse(text) {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

/** The C++ tests that kernels/CMakeLists.txt registers. */
function native() {
  return one('ctest', ['--test-dir', at('.native', 'build'), '--output-on-failure'])
}
