#!/usr/bin/env node
// Fuzzing: bundles tests/fuzz with a stand-in for Electron, then becomes it.
import { join } from 'node:path'
import { become } from './lib/become.mjs'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at, paths } from './lib/project.mjs'

await runProgram(async () => {
  await bundle('tests/fuzz/index.ts', paths.tools, 'fuzz', { electron: at('tests', 'fuzz', 'electron.ts') })
  const env = { ...process.env, CENTROID_LAB_EXAMPLES: at('examples') }
  return become(hostNode, [join(paths.tools, 'fuzz.mjs'), ...process.argv.slice(2)], env)
})
