#!/usr/bin/env node
// The benchmark of the kernels: sets up what is missing, bundles the program, then becomes it.
import { join } from 'node:path'
import { become } from './lib/become.mjs'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at, paths } from './lib/project.mjs'
import { setUpEngines } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpEngines()
  await bundle('bench/index.ts', paths.tools, 'bench')
  const env = { CENTROID_LAB_RESULTS: at('bench', 'results'), ...process.env }
  return become(hostNode, [join(paths.tools, 'bench.mjs'), ...process.argv.slice(2)], env)
})
