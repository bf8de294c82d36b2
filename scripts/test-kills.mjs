#!/usr/bin/env node
// npm run test:kills -- [--host N] [--main N] [--renderer N] [--gpu N] [--seed N]
// Kills the processes of the real window again and again in the middle of work, and looks what it costs. Without counts: 100, 100, 30, 30.
import { parseArgs } from 'node:util'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at, hasDisplay } from './lib/project.mjs'
import { attach } from './lib/run.mjs'
import { electronEnvironment } from './lib/sandbox.mjs'
import { setUpWindow } from './lib/setup.mjs'

const usual = { host: 100, main: 100, renderer: 30, gpu: 30 }

await runProgram(async () => {
  const text = /** @type {const} */ ({ type: 'string' })
  const options = { host: text, main: text, renderer: text, gpu: text, seed: text }
  const { values } = parseArgs({ options })
  const given = Object.values(values)
  if (given.some((value) => !/^\d{1,6}$/.test(value))) {
    console.error('Expected whole numbers of kills, such as --host 100: correct them.')
    return 2
  }
  const { seed = '1', ...counts } = values
  const wanted = Object.keys(counts).length === 0 ? usual : counts
  await setUpWindow({ headless: true })
  const env = {
    ...electronEnvironment(),
    CENTROID_LAB_KILLS: Object.entries(wanted)
      .map(([target, count]) => `${target}=${count}`)
      .join(','),
    CENTROID_LAB_KILLS_SEED: seed,
  }
  const vitest = [hostNode, at('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'kills']
  const [command, ...args] = hasDisplay()
    ? vitest
    : ['xvfb-run', '-a', '-s', '-screen 0 1400x900x24', ...vitest]
  return attach(command, args, { env })
})
