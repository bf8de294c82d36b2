#!/usr/bin/env node
// The grid of shapes and kinds of data: sets up what is missing, bundles the program, then becomes it.
import { join } from 'node:path'
import { become } from './lib/become.mjs'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at, paths } from './lib/project.mjs'
import { setUpEngines } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpEngines()
  await bundle('bench/grid/index.ts', paths.tools, 'bench-grid')
  const env = { CENTROID_LAB_RESULTS: at('bench', 'results'), ...process.env }
  return become(hostNode, [join(paths.tools, 'bench-grid.mjs'), ...process.argv.slice(2)], env)
})
