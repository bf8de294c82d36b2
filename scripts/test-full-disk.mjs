#!/usr/bin/env node
// Full disks and changing sources at random points of every command: sets up what is missing, bundles tests/full-disk, then becomes it.
//   npm run test:full-disk -- [--points 100] [--seed 1] [--rows 20000]
import { join } from 'node:path'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { paths } from './lib/project.mjs'
import { attach } from './lib/run.mjs'
import { setUpHeadless } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpHeadless({ webgpu: false })
  await bundle('tests/full-disk/index.ts', paths.tools, 'full-disk')
  return attach(hostNode, [join(paths.tools, 'full-disk.mjs'), ...process.argv.slice(2)])
})
