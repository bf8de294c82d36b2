#!/usr/bin/env node
// Takes the pictures of the documentation from the real window, on a display of its own so that nothing else is on them.
import { become } from './lib/become.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at } from './lib/project.mjs'
import { electronEnvironment } from './lib/sandbox.mjs'
import { setUpWindow } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpWindow({ headless: true })
  const vitest = [hostNode, at('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'pictures']
  return become('xvfb-run', ['-a', '-s', '-screen 0 1600x1000x24', ...vitest], electronEnvironment())
})
