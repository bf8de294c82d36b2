#!/usr/bin/env node
// `sequential` and `eigen` beside two textbook programs: sets up what is missing, bundles the program, then becomes it.
import { join } from 'node:path'
import { become } from './lib/become.mjs'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { paths } from './lib/project.mjs'
import { setUpEngines } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpEngines()
  await bundle('bench/textbook/index.ts', paths.tools, 'bench-textbook')
  return become(hostNode, [join(paths.tools, 'bench-textbook.mjs'), ...process.argv.slice(2)], process.env)
})
