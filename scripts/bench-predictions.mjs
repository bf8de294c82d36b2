#!/usr/bin/env node
// What the plan foretells beside what happens: sets up what is missing, bundles the program, then becomes it.
import { join } from 'node:path'
import { become } from './lib/become.mjs'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { paths } from './lib/project.mjs'
import { setUpCommandLine } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpCommandLine({ webgpu: false })
  await bundle('bench/predictions/index.ts', paths.tools, 'bench-predictions')
  const env = { ...process.env, CENTROID_LAB_CLI: paths.cli }
  return become(hostNode, [join(paths.tools, 'bench-predictions.mjs'), ...process.argv.slice(2)], env)
})
