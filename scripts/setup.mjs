#!/usr/bin/env node
// Does all the set-up that is missing, for the window and for the tests, and nothing else.
import { runProgram } from './lib/failure.mjs'
import { setUpWindow } from './lib/setup.mjs'

await runProgram(async () => {
  let failed = false
  const steps = await setUpWindow({
    headless: true,
    onAddonFailure: () => {
      failed = true
    },
  })
  console.error(steps === 0 ? 'set-up: nothing was missing' : 'set-up: done')
  return failed ? 1 : 0
})
