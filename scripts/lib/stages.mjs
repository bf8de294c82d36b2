import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from './fingerprint.mjs'
import { hostNode } from './host-node.mjs'
import { at, hasDisplay, paths } from './project.mjs'
import { attach, watch } from './run.mjs'
import { electronEnvironment } from './sandbox.mjs'
import { reportVariable } from './test-report.mjs'

/**
 * @typedef {import('./test-report.mjs').SuiteReport} Outcome
 * @typedef {object} Stage
 * @property {string} name
 * @property {boolean} [shared] may run beside another such stage: one thread, and no output before its end
 * @property {() => Promise<Outcome>} run
 */

/** Files of the end-to-end suite that hold the window to a time: with nothing beside them. */
const timed = [
  'e2e/benchmark.test.ts',
  'e2e/explore.test.ts',
  'e2e/long-comparison.test.ts',
  'e2e/main-flow.test.ts',
  'kills/kills.test.ts',
].map((file) => `tests/${file}`)

/** A stage that hangs is ended. The whole is to stay under 15 minutes on two cores that do nothing else; lent ones can be slower. */
const timeoutMinutes = 25
const reports = join(paths.runtime, 'test-reports')
const nativeTests = at('.native', 'build', 'CTestTestfile.cmake')

/**
 * The stages, in the order of their cost, but for short ones that fill what the parts of the end-to-end suite leave of a core. To be
 * asked for when the set-up is done.
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
  windowPart(1),
  windowPart(2),
  check('format', ['prettier', 'bin', 'prettier.cjs'], ['--check', '.']),
  whole('words', hostNode, [at('scripts', 'check-words.mjs')]),
  whole('variant index', hostNode, [at('scripts', 'generate-variant-index.mjs'), '--check']),
  ...(existsSync(nativeTests) ? [native()] : []),
  // In one pool of workers, so that no core waits for the last file of each.
  suite(['unit', 'renderer', 'parity']),
  suite(['timing']),
  suite(['e2e'], { name: 'e2e, timed', part: timed }),
]

/**
 * Half of the end-to-end suite, each on a display of its own: there is one clipboard a display, and one focus.
 * @param {1 | 2} part
 * @returns {Stage}
 */
function windowPart(part) {
  const half = [`--shard=${part}/2`, ...timed.map((file) => `--exclude=${file}`)]
  return suite(['e2e'], { name: `e2e, part ${part} of 2`, part: half, shared: !hasDisplay() })
}

/**
 * A tool of node_modules that passes or fails as a whole.
 * @param {string} name
 * @param {readonly string[]} tool path below node_modules
 * @param {readonly string[]} args
 * @returns {Stage}
 */
function check(name, tool, args) {
  return whole(name, hostNode, [at('node_modules', ...tool), ...args])
}

/**
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Stage}
 */
function whole(name, command, args) {
  return {
    name,
    shared: true,
    run: async () => {
      const { status, tail } = await printed(name, command, args, { minutes: timeoutMinutes })
      const isGood = status === 0
      const problems = isGood ? [] : [{ name, message: tail }]
      return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0, problems, retried: [] }
    },
  }
}

/**
 * Suites of vitest.config.ts, run by the Node that runs the engines. The end-to-end suite gets a display of its own where
 * there is none.
 * @param {readonly string[]} projects
 * @param {{name?: string, part?: readonly string[], shared?: boolean}} [options] name: of the stage; part: files and options, where
 *   the suite is run in parts
 * @returns {Stage}
 */
function suite(projects, { name = projects.join(', '), part = [], shared = false } = {}) {
  return {
    name,
    shared,
    run: async () => {
      if (!shared) console.log(`\n== ${name}`)
      const report = join(reports, `${name.replaceAll(/\W+/g, '-')}.json`)
      mkdirSync(reports, { recursive: true })
      rmSync(report, { force: true })
      const wanted = projects.map((project) => `--project=${project}`)
      const vitest = [at('node_modules', 'vitest', 'vitest.mjs'), 'run', ...wanted, ...part]
      const output = ['--reporter=default', `--reporter=${at('scripts', 'lib', 'test-report.mjs')}`]
      const [command, ...args] = [...displayFor(projects), hostNode, ...vitest, ...output]
      const env = { ...electronEnvironment(), [reportVariable]: report }
      const options = { env, minutes: timeoutMinutes }
      const status = shared
        ? (await printed(name, command, args, options)).status
        : await attach(command, args, options)
      return outcomeOf(name, readText(report), status)
    },
  }
}

/**
 * Runs a command and prints at its end what it printed.
 * @param {string} name
 * @param {Parameters<typeof watch>} call
 * @returns {Promise<{status: number, tail: string}>}
 */
async function printed(name, ...call) {
  const { status, output, tail } = await watch(...call)
  console.log(`\n== ${name}\n${output}`)
  return { status, tail }
}

/** @param {readonly string[]} projects */
function displayFor(projects) {
  if (!projects.includes('e2e') || hasDisplay()) return []
  // A server without clients begins anew, and one that comes at that moment is refused: between two windows there are none.
  return ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24 -noreset']
}

/**
 * What a suite came to. A run that ends badly without a failed test (a file that cannot be loaded, an error outside
 * of tests, no whole report) counts as one failure, and so does one without any test.
 * @param {string} name
 * @param {string | null} text the report, or what there is of it
 * @param {number} status exit status of vitest
 * @returns {Outcome}
 */
export function outcomeOf(name, text, status) {
  const { passed = 0, failed = 0, skipped = 0, problems = [], retried = [] } = parse(text)
  const isBad = status !== 0 || passed + failed === 0
  const unsaid = { name, message: `ended with status ${status}, ${passed} tests passed and none failed` }
  return {
    passed,
    failed: isBad ? Math.max(1, failed) : failed,
    skipped,
    problems: isBad && problems.length === 0 ? [unsaid] : problems,
    retried,
  }
}

/**
 * @param {string | null} text
 * @returns {Partial<Outcome>}
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
  const stage = whole('native tests', 'ctest', ['--test-dir', at('.native', 'build'), '--output-on-failure'])
  return { ...stage, shared: false }
}
