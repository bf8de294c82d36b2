#!/usr/bin/env node
// The whole check of a machine without a GPU: set-up, then every stage, whatever failed before it.
import { runProgram } from './lib/failure.mjs'
import { reportProblems } from './lib/problems.mjs'
import { runStages } from './lib/run-stages.mjs'
import { setUpWindow } from './lib/setup.mjs'
import { stages } from './lib/stages.mjs'
import { seconds } from './lib/steps.mjs'
import { textTable } from './lib/text-table.mjs'

await runProgram(async () => {
  const begin = performance.now()
  /** @type {import('./lib/test-report.mjs').Problem[]} */
  const problems = []
  await setUpWindow({
    headless: true,
    onAddonFailure: ({ message }) => problems.push({ name: 'set-up', message }),
  })
  const failed = problems.length
  /** @type {import('./lib/stages.mjs').Outcome} */
  const setUp = { passed: 1 - failed, failed, skipped: 0, problems, retried: [] }
  const rows = [{ name: 'set-up', ...setUp, time: seconds(begin) }, ...(await runStages(stages()))]
  return summarise(rows, begin)
})

/**
 * @param {ReadonlyArray<import('./lib/run-stages.mjs').Row>} rows
 * @param {number} begin
 * @returns {number} exit status
 */
function summarise(rows, begin) {
  const cells = rows.map(({ name, passed, failed, skipped, time }) =>
    [name, passed, failed, skipped, time].map(String),
  )
  console.log(`\n${textTable(['stage', 'passed', 'failed', 'skipped', 'time'], cells)}`)
  const report = reportProblems(
    rows.flatMap(({ problems }) => problems),
    rows.flatMap(({ retried }) => retried),
  )
  if (report !== '') console.log(`\n${report}`)
  const sum = (/** @type {'passed' | 'failed'} */ what) => rows.reduce((total, row) => total + row[what], 0)
  console.log(`\nAll stages took ${seconds(begin)}.`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') > 0 ? 1 : 0
}
