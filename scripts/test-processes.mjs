#!/usr/bin/env node
// npm run test:processes -- [--kills N] | --scaling [-n POINTS -d FEATURES -k CLUSTERS --processes 1,2]
// Runs of several processes under mpirun: the same bytes for any number of them, and one killed again and again. Without a count: 50 kills.
// --scaling prints what one process and several take: time, memory of each, and what they send, beside the model of it.
import { parseArgs } from 'node:util'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at } from './lib/project.mjs'
import { attach } from './lib/run.mjs'
import { printScaling } from './lib/process-scaling.mjs'
import { setUpWindow } from './lib/setup.mjs'

await runProgram(async () => {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '50' },
      scaling: { type: 'boolean', default: false },
      n: { type: 'string', short: 'n', default: '2000000' },
      d: { type: 'string', short: 'd', default: '8' },
      k: { type: 'string', short: 'k', default: '100' },
      processes: { type: 'string', default: '1,2' },
    },
  })
  if (values.scaling) {
    await setUpWindow({ headless: true })
    const [n, d, k] = [Number(values.n), Number(values.d), Number(values.k)]
    return printScaling({ n, d, k, processes: values.processes.split(',').map(Number) })
  }
  if (!/^\d{1,4}$/.test(values.kills)) {
    console.error('Expected a whole number of kills, such as --kills 50: correct it.')
    return 2
  }
  await setUpWindow({ headless: true })
  const vitest = [
    at('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project',
    'timing',
    '--project',
    'parity',
    'tests/processes',
  ]
  return attach(hostNode, vitest, { env: { ...process.env, CENTROID_LAB_PROCESS_KILLS: values.kills } })
})
