// A reporter of vitest: what a stage of `npm test` wants to know of a suite, at the place that the environment names.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Names the file of the report. */
export const reportVariable = 'CENTROID_LAB_TEST_REPORT'

/**
 * @typedef {{name: string, message: string}} Problem something that failed, and the words it failed with
 * @typedef {object} SuiteReport
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {Problem[]} problems failed tests, files that cannot be loaded, errors outside of tests
 * @property {Problem[]} retried tests that passed, but not at the first attempt
 */

export default class TestReport {
  #root = process.cwd()

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.#root = vitest.config.root
  }

  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<{message: string}>} unhandled errors outside of tests and files
   */
  onTestRunEnd(modules, unhandled) {
    const path = process.env[reportVariable]
    if (path) writeFileSync(path, JSON.stringify(reportOf(modules, unhandled, this.#root)))
  }
}

/**
 * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
 * @param {ReadonlyArray<{message: string}>} unhandled
 * @param {string} root folder that file names begin at
 * @returns {SuiteReport}
 */
function reportOf(modules, unhandled, root) {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const inState = (/** @type {string} */ state) => tests.filter((test) => test.result().state === state)
  const failed = inState('failed')
  const nameOf = (/** @type {import('vitest/node').TestCase} */ test) =>
    `${relative(root, test.module.moduleId)} > ${test.fullName}`
  const problemOf = (/** @type {import('vitest/node').TestCase} */ test) =>
    problem(nameOf(test), test.result().errors)
  const broken = modules
    .filter((module) => module.errors().length > 0)
    .map((module) => problem(relative(root, module.moduleId), module.errors()))
  return {
    passed: inState('passed').length,
    failed: failed.length,
    skipped: inState('skipped').length,
    problems: [
      ...failed.map(problemOf),
      ...broken,
      ...unhandled.map((error) => problem('outside of tests', [error])),
    ],
    retried: tests.filter((test) => test.diagnostic()?.flaky).map(problemOf),
  }
}

/**
 * @param {string} name
 * @param {ReadonlyArray<{message: string}>} [errors]
 * @returns {Problem}
 */
function problem(name, errors = []) {
  return { name, message: errors[0]?.message ?? '' }
}
