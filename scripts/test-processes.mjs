#!/usr/bin/env node
// npm run test:processes -- [--kills N]
// Runs of several processes under mpirun: the same bytes for any number of them, and one killed again and again. Without a count: 50 kills.
import { parseArgs } from 'node:util'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at } from './lib/project.mjs'
import { attach } from './lib/run.mjs'
import { setUpWindow } from './lib/setup.mjs'

await runProgram(async () => {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' } } })
  if (!/^\d{1,4}$/.test(values.kills)) {
    console.error('Expected a whole number of kills, such as --kills 50: correct it.')
    return 2
  }
  await setUpWindow({ headless: true })
  const vitest = [at('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'timing', 'tests/processes']
  return attach(hostNode, vitest, { env: { ...process.env, CENTROID_LAB_PROCESS_KILLS: values.kills } })
})
