#!/usr/bin/env node
// The whole check of a machine without a GPU: set-up, then every stage, whatever failed before it.
import { runProgram } from './lib/failure.mjs'
import { setUpWindow } from './lib/setup.mjs'
import { stages } from './lib/stages.mjs'
import { seconds } from './lib/steps.mjs'
import { textTable } from './lib/text-table.mjs'

await runProgram(async () => {
  const begin = performance.now()
  let addonFailed = 0
  await setUpWindow({
    headless: true,
    onAddonFailure: () => {
      addonFailed = 1
    },
  })
  const rows = [
    { name: 'set-up', passed: 1 - addonFailed, failed: addonFailed, skipped: 0, time: seconds(begin) },
  ]
  for (const stage of stages()) {
    console.log(`\n== ${stage.name}`)
    const start = performance.now()
    rows.push({ name: stage.name, ...(await stage.run()), time: seconds(start) })
  }
  return summarise(rows, begin)
})

/**
 * @param {ReadonlyArray<{name: string, passed: number, failed: number, skipped: number, time: string}>} rows
 * @param {number} begin
 * @returns {number} exit status
 */
function summarise(rows, begin) {
  const cells = rows.map(({ name, passed, failed, skipped, time }) =>
    [name, passed, failed, skipped, time].map(String),
  )
  console.log(`\n${textTable(['stage', 'passed', 'failed', 'skipped', 'time'], cells)}`)
  const sum = (/** @type {'passed' | 'failed'} */ what) => rows.reduce((total, row) => total + row[what], 0)
  console.log(`\nAll stages took ${seconds(begin)}.`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') > 0 ? 1 : 0
}
